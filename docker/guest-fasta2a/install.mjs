// How tools/agents-install.mjs installs this guest; the shape is described there.
import { pythonVenv } from '../../tools/python-venv.mjs';

export const { name, isCurrent, toolchain, install } = pythonVenv('guest-fasta2a');
