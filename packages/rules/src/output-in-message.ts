import type { MessageView } from '@plugfest/a2a';

/** A longer text says more than that the task is done, in characters. */
const longestRemark = 500;

/** The texts of a message, one for each of its text parts. */
export const textsOf = ({ parts }: MessageView): readonly string[] =>
  parts.flatMap(({ kind, text }) => (kind === 'text' && text !== undefined ? [text] : []));

/**
 * True for a message that holds what a task was to make: files, data, or a long text. Of a short text the wire does not
 * say whether it is the result, or a word about the end.
 */
export const holdsOutput = (message: MessageView): boolean =>
  textsOf(message).join('\n').length > longestRemark || message.parts.some(({ kind }) => kind !== 'text');

/** What a message holds, as evidence: its text, or else the kinds of its parts. */
export const contentOf = (message: MessageView): string =>
  textsOf(message).join('\n') || message.parts.map(({ kind }) => kind).join(', ');
