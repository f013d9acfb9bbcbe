import { isObject, type JsonObject, own, textAt } from "./messages.ts";

/**
 * What an agent has said about its tool calls. A permission request names a call and repeats only parts of it: the diff, the arguments or the
 * command may have come before. Lines are kept as they came, and read when a person is asked. Memory is limited: a call that lost some of
 * its lines can't be shown completely, and is left to the editor.
 */

/** Sessions, calls of each, and bytes of each call. */
const most = { sessions: 100, calls: 200, bytes: 1_048_576 };

interface KnownCall {
  lines: Buffer[];
  bytes: number;
}

export class ToolCalls {
  readonly #sessions = new Map<string, Map<string, KnownCall>>();

  /** Remembers what a `session/update` says of a call, until it has run. */
  note(params: unknown, line: Buffer): void {
    const update = own(params, "update");
    const [session, call, kind] = [textAt(params, "sessionId"), textAt(update, "toolCallId"), textAt(update, "sessionUpdate")];
    if (session === undefined || call === undefined || (kind !== "tool_call" && kind !== "tool_call_update")) return;
    const status = own(update, "status");
    const calls = this.#sessions.get(session);
    if (status === "completed" || status === "failed") return void calls?.delete(call);
    const known = (kind === "tool_call" ? undefined : calls?.get(call)) ?? { lines: [], bytes: 0 };
    known.bytes += line.length;
    // Beyond the limit, only the size is kept.
    if (known.bytes > most.bytes) known.lines = [];
    else known.lines.push(Buffer.from(line));
    const kept = calls ?? new Map<string, KnownCall>();
    // The one that was used last is the last to go.
    kept.delete(call);
    kept.set(call, known);
    dropOldest(kept, most.calls);
    this.#sessions.delete(session);
    this.#sessions.set(session, kept);
    dropOldest(this.#sessions, most.sessions);
  }

  /** The lines about a call; undefined if there were too many bytes. */
  linesOf(session: string, call: string): readonly Buffer[] | undefined {
    const known = this.#sessions.get(session)?.get(call);
    if (known === undefined) return [];
    return known.bytes > most.bytes ? undefined : known.lines;
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }
}

/** Keeps a map within its limit, by the entry that was set first. */
export function dropOldest(map: Map<string, unknown>, limit: number): void {
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}

/** A call is patched by each update: a field that an update names replaces the one before. */
export function merged(updates: readonly unknown[]): JsonObject {
  const call = new Map<string, unknown>();
  for (const update of updates) {
    if (!isObject(update)) continue;
    for (const [name, value] of Object.entries(update)) if (value !== null && value !== undefined) call.set(name, value);
  }
  return Object.fromEntries(call);
}
