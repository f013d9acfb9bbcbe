import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { agentText } from "./identity.ts";
import type { PresenceFacts } from "./peer-message.ts";

interface ConversationsOptions {
  /** A conversation has connected here, or left. */
  onChange(name: string): void;
  /** The presence of a conversation at other hubs. */
  elsewhere(name: string): readonly PresenceFacts[];
}

/**
 * The conversation of each port, as named by its last call: one per port, however many it names. A program that names none is one
 * conversation for as long as it runs.
 */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #of = new Map<object, string>();
  readonly #ports = new Map<string, Set<object>>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  speak(port: object, owner: string, asker: AskerInfo): void {
    const name = conversationName(owner, asker);
    if (name === undefined || this.#of.get(port) === name) return;
    this.leave(port);
    this.#of.set(port, name);
    const ports = this.#ports.get(name);
    this.#ports.set(name, (ports ?? new Set()).add(port));
    if (ports === undefined) this.#options.onChange(name);
  }

  leave(port: object): void {
    const name = this.#of.get(port);
    const ports = name === undefined ? undefined : this.#ports.get(name);
    this.#of.delete(port);
    ports?.delete(port);
    if (name === undefined || ports?.size !== 0) return;
    this.#ports.delete(name);
    this.#options.onChange(name);
  }

  /** Whether it is connected, to any hub. */
  isConnected(name: string): boolean {
    return this.#ports.has(name) || this.#options.elsewhere(name).length > 0;
  }

  /** The conversations that are connected here. */
  names(): Iterable<string> {
    return this.#ports.keys();
  }

  /** A conversation as other hubs see it; undefined if it isn't connected here, or if it is the id of a session. */
  factsOf(name: string): PresenceFacts | undefined {
    return this.#ports.has(name) ? { asker: "attached", isWaiting: false, openIn: [] } : undefined;
  }

  /** Whether a session belongs to another conversation than the asker's, and that one is connected through other ports. */
  isOfAnother(port: object, session: Pick<SessionRecord, "owner" | "asker">, asker: AskerInfo): boolean {
    const name = conversationName(session.owner, session.asker);
    if (name === undefined || name === conversationName(session.owner, { ...session.asker, ...ownOf(asker) })) return false;
    const ports = this.#ports.get(name);
    return ports !== undefined && !ports.has(port);
  }

  /** The same for an asker that gives the session's id: it need not name its conversation. */
  isForbidden(port: object, session: Pick<SessionRecord, "owner" | "asker">, asker: AskerInfo): boolean {
    return (asker.conversation ?? asker.instance) !== undefined && this.isOfAnother(port, session, asker);
  }
}

const ownOf = ({ conversation, instance }: AskerInfo) => ({ conversation, instance });

/** Whether an id that hubs exchange is that of a conversation, rather than of a session. */
export const isConversation = (id: string): boolean => id.startsWith("[");

/** Undefined for an asker that names neither conversation nor instance. */
export function conversationName(owner: string, asker: AskerInfo): string | undefined {
  if (asker.conversation !== undefined) return `${agentText(owner, asker)} ${asker.conversation}`;
  return asker.instance === undefined ? undefined : JSON.stringify([owner, asker.instance]);
}
