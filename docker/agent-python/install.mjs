// How tools/agents-install.mjs installs this lab agent; the shape is described there.
import { pythonVenv } from '../../tools/python-venv.mjs';

export const { name, isCurrent, toolchain, install } = pythonVenv('python');
