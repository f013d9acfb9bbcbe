import { isAskboxError } from "../errors.ts";
import type { Desk, Watch, WatchFilter } from "../ports/desk.ts";
import type { Answer } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import type { SessionView } from "../session/view.ts";

/** The events of the `ask_user` design between its bridge and its UI; `requestId` is the session's id. */
export type AskUserEvent =
  | { type: "cn_ask_user.asked"; requestId: string; questions: Question[]; title?: string }
  | { type: "cn_ask_user.answered"; requestId: string; answers: Answer[] }
  /** The design has no event for a passed deadline; `timedOut` distinguishes it from a person's no. */
  | { type: "cn_ask_user.cancelled"; requestId: string; timedOut?: true };

/**
 * Watches a desk with the events of the `ask_user` design: one event when a session is asked, or already pending, and one when it is
 * settled, regardless of further changes and reconnects.
 */
export async function watchAskUser(desk: Desk, filter: WatchFilter, listener: (event: AskUserEvent) => void): Promise<Watch> {
  const open = new Set<string>();
  const onEvent = (session: SessionView) => {
    const { id: requestId, status, questions, title } = session;
    if (status !== "pending") return open.delete(requestId) && listener(endOf(session));
    if (open.has(requestId)) return;
    open.add(requestId);
    listener({ type: "cn_ask_user.asked", requestId, questions, ...(title === undefined ? {} : { title }) });
  };
  const remove = (requestId: string) => open.delete(requestId) && listener({ type: "cn_ask_user.cancelled", requestId });
  /** Sessions that are missing in a new snapshot were settled while disconnected. */
  const lookAt = (id: string) =>
    desk.get(id).then(onEvent, (error: unknown) => void (isAskboxError(error, "SESSION_NOT_FOUND") && remove(id)));
  return desk.watch(filter, (event) => {
    if (event.type === "session") onEvent(event.session);
    if (event.type === "removed") remove(event.sessionId);
    if (event.type !== "snapshot") return;
    const pending = new Set(event.sessions.map(({ id }) => id));
    for (const id of open) if (!pending.has(id)) void lookAt(id);
    event.sessions.forEach(onEvent);
  });
}

function endOf({ id: requestId, outcome }: SessionView): AskUserEvent {
  if (outcome?.kind === "answered") return { type: "cn_ask_user.answered", requestId, answers: outcome.answers };
  return { type: "cn_ask_user.cancelled", requestId, ...(outcome?.kind === "timedOut" ? { timedOut: true as const } : {}) };
}
