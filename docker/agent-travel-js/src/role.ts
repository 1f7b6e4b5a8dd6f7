import type { Conversation } from './conversation.ts';
import type { RoleName } from './options.ts';
import type { Fields } from './request.ts';
import { flight } from './roles/flight.ts';
import { hotel } from './roles/hotel.ts';
import { policy } from './roles/policy.ts';

/** What an agent does for whoever calls it. */
export interface Role {
  readonly skill: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly example: string;
  };
  /** The first message of a task. */
  readonly start: (fields: Fields, conversation: Conversation) => Promise<void>;
  /** The answer to what the task asked for; `asked` is what it was started with. */
  readonly answer?: (fields: Fields, asked: Fields, conversation: Conversation) => Promise<void>;
}

export const roles: Readonly<Record<RoleName, Role>> = { policy, flight, hotel };
