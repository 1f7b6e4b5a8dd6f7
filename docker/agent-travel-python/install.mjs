// How tools/agents-install.mjs installs these lab agents; the shape is described there.
import { pythonVenv } from '../../tools/python-venv.mjs';

export const { name, isCurrent, toolchain, install } = pythonVenv('travel-python');
