/** The services that the bot talks to: askbox's REST API, and the chat's. */
import type { AnswerIssue, AnswerSet, SessionView } from "@askbox/core";

/** The result of settling a session: done, already settled by somebody else, or invalid answers. */
export type Settled =
  | { kind: "done"; session: SessionView }
  | { kind: "too late"; session: SessionView }
  | { kind: "invalid"; issues: AnswerIssue[] };

export interface Askbox {
  get(id: string): Promise<SessionView>;
  /** `by` is the person who answered. */
  answer(id: string, set: AnswerSet, by: { name: string }): Promise<Settled>;
  cancel(id: string, reason: string, by: { name: string }): Promise<Settled>;
}

/** `token` must have been created with `--scope desk --on-behalf`, so that answers carry the name of the person in the chat. */
export function askboxAt(url: string, token: string): Askbox {
  const request = async (path: string, body?: unknown): Promise<Response> =>
    fetch(new URL(`/api/sessions/${path}`, url), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const settle = async (path: string, body: unknown): Promise<Settled> => {
    const response = await request(path, body);
    const told = await response.json();
    if (response.ok) return { kind: "done", session: told };
    if (told.code === "SESSION_CLOSED") return { kind: "too late", session: told.session };
    if (told.code === "INVALID_ANSWER") return { kind: "invalid", issues: told.issues };
    throw new Error(`askbox answered ${response.status}: ${told.detail}`);
  };
  return {
    async get(id) {
      const response = await request(encodeURIComponent(id));
      if (!response.ok) throw new Error(`askbox answered ${response.status}.`);
      return response.json() as Promise<SessionView>;
    },
    answer: (id, set, by) => settle(`${encodeURIComponent(id)}/answer`, { ...set, by }),
    cancel: (id, reason, by) => settle(`${encodeURIComponent(id)}/cancel`, { reason, by }),
  };
}

export interface Chat {
  /** Posts a message, in a thread if one is given, and resolves with the message's id. A thread's id is that of its first message. */
  post(text: string, thread?: string): Promise<string>;
}

export function chatAt(url: string, token: string, channel: string): Chat {
  return {
    async post(text, thread) {
      const response = await fetch(new URL("/messages", url), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ channel, thread, text }),
      });
      if (!response.ok) throw new Error(`The chat answered ${response.status}.`);
      return ((await response.json()) as { id: string }).id;
    },
  };
}
