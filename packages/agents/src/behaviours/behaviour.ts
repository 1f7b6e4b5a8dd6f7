import type { Part } from '@a2a-js/sdk';
import { textPart } from '../parts.ts';
import type { TaskScript } from './script.ts';

export interface Turn {
  readonly script: TaskScript;
  /** The first text of the message. */
  readonly text: string;
  /** What follows the prefix in the text, trimmed. */
  readonly argument: string;
  /** All parts of the message. */
  readonly parts: readonly Part[];
  /** The media types that the client asked for, its favourite first; none: it did not say. */
  readonly acceptedOutputModes: readonly string[];
}

export type Act = (turn: Turn) => void | Promise<void>;

export interface Behaviour {
  readonly prefix: string;
  /** `text`: only the message's text selects it; otherwise its messageId does too. */
  readonly matches?: 'text';
  /** `message`: the answer is a Message, so no Task is opened. */
  readonly answers?: 'message';
  readonly run: Act;
  /** A follow-up while the task waits; without it the task is completed. */
  readonly resume?: Act;
}

export const resume: Act = ({ script, text }) => {
  script.working();
  script.completed(`resumed: ${text}`);
};

/** For a message that no prefix claims. */
export const plainEcho: Behaviour = {
  prefix: '',
  run({ script, text }) {
    script.working();
    script.artifact('echo', textPart(`echo: ${text}`));
    script.completed();
  },
};
