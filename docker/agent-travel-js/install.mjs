// How tools/agents-install.mjs installs these lab agents; the shape is described there.
import { npmCopy } from '../../tools/npm-copy.mjs';

export const { name, isCurrent, toolchain, install } = npmCopy('travel-js');
