import { canonicalJson } from "../exact-json.ts";
import type { Digest } from "../ports/platform.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { Question } from "../session/questions/index.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import type { PresenceFacts } from "./several-hubs.ts";

/**
 * Who asks: which agent of a token (its scope), which of its asks are equal, and which of its conversations are connected here or at another
 * hub, so that one doesn't get the sessions of another that is still there.
 */

/** Returns an asker's scope. */
export type Scopes = (owner: string, asker: AskerInfo) => Promise<string>;

/** More than the agents of one machine; each entry takes about 200 bytes. */
const keptScopes = 500;

/**
 * Identifies an asker of a token: the same client in the same project with the same agent id, regardless of version or branch. Cached,
 * since the same few ask repeatedly, and a digest is often computed on another thread.
 */
export function rememberedScopes(digest: Digest): Scopes {
  const kept = new Map<string, Promise<string>>();
  return (owner, asker) => {
    const text = agentText(owner, asker);
    const known = kept.get(text);
    if (known !== undefined) return known;
    const scope = digest(text);
    if (kept.size >= keptScopes) kept.clear();
    kept.set(text, scope);
    scope.catch(() => kept.delete(text));
    return scope;
  };
}

/** The fields that identify an agent of a token. */
export function agentText(owner: string, { client, project, agentId }: AskerInfo): string {
  return JSON.stringify([owner, client.name, project ?? null, agentId ?? null]);
}

/** Whether both may be the same agent: the client, project and agent id that both give are equal. */
export function isSameAgent(one: AskerInfo, other: AskerInfo): boolean {
  if (one.client.name !== other.client.name) return false;
  return (["project", "agentId"] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
}

const generatedId = /^q_[0-9a-z]{6}$/;

/** All that a person sees of a question and all that bounds its answer, as text; without an id that the agent did not choose. */
export function textOf({ id, ...question }: Question): string {
  return canonicalJson(generatedId.test(id) ? question : { id, ...question });
}

/**
 * What makes two asks equal, as text: everything that is shown, and everything that bounds an answer. Without the timeout, which a repeated
 * ask extends.
 */
export function textOfAsk({ title, questions }: AskRequest): string {
  return JSON.stringify([title ?? null, ...questions.map(textOf)]);
}

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
