// How tools/agents-install.mjs installs this lab agent; the shape is described there.
import { npmCopy } from '../../tools/npm-copy.mjs';

export const { name, isCurrent, toolchain, install } = npmCopy('js-03');
