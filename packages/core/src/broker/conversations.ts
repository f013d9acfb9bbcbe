import type { AskerInfo } from "../session/asker-info.ts";
import type { SessionRecord } from "../session/record.ts";
import { agentText } from "./identity.ts";

/**
 * The conversation of each port, as named by its last call: one per port, however many it names. A program that names none is one
 * conversation for as long as it runs.
 */
export class Conversations {
  readonly #of = new Map<object, string>();
  readonly #ports = new Map<string, Set<object>>();

  speak(port: object, owner: string, asker: AskerInfo): void {
    const name = nameOf(owner, asker);
    if (name === undefined || this.#of.get(port) === name) return;
    this.leave(port);
    this.#of.set(port, name);
    this.#ports.set(name, (this.#ports.get(name) ?? new Set()).add(port));
  }

  leave(port: object): void {
    const name = this.#of.get(port);
    const ports = name === undefined ? undefined : this.#ports.get(name);
    this.#of.delete(port);
    ports?.delete(port);
    if (name !== undefined && ports?.size === 0) this.#ports.delete(name);
  }

  /** Whether a session belongs to another conversation than the asker's, and that one is connected through other ports. */
  isOfAnother(port: object, session: Pick<SessionRecord, "owner" | "asker">, asker: AskerInfo): boolean {
    const name = nameOf(session.owner, session.asker);
    if (name === undefined || name === nameOf(session.owner, { ...session.asker, ...ownOf(asker) })) return false;
    const ports = this.#ports.get(name);
    return ports !== undefined && !ports.has(port);
  }

  /** The same for an asker that gives the session's id: it need not name its conversation. */
  isForbidden(port: object, session: Pick<SessionRecord, "owner" | "asker">, asker: AskerInfo): boolean {
    return (asker.conversation ?? asker.instance) !== undefined && this.isOfAnother(port, session, asker);
  }
}

const ownOf = ({ conversation, instance }: AskerInfo) => ({ conversation, instance });

/** Undefined for an asker that names neither conversation nor instance. */
function nameOf(owner: string, asker: AskerInfo): string | undefined {
  if (asker.conversation !== undefined) return `${agentText(owner, asker)} ${asker.conversation}`;
  return asker.instance === undefined ? undefined : JSON.stringify([owner, asker.instance]);
}
