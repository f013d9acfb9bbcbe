import * as z from "zod";
import type { AnswerSet } from "../session/answer.ts";
import { storedAskerSchema } from "../session/asker-info.ts";
import type { Draft, DraftPatch } from "../session/draft.ts";
import { timeSchema } from "../session/outcome.ts";
import type { AskBack } from "../session/thread.ts";
import { type Presence, type SessionView, type Status, statusSchema } from "../session/view.ts";
import type { Signal } from "./platform.ts";
import type { Tally } from "./store.ts";

/** Which sessions `Desk.list` returns. Every filter that is set must match. */
export interface DeskQuery {
  statuses?: readonly Status[] | undefined;
  project?: string | undefined;
  agentId?: string | undefined;
  clientName?: string | undefined;
  /** The name of the machine that asks; the hub's own has none. */
  machine?: string | undefined;
  /** Words that must all be found, ignoring case, in questions, options, answers, messages, project, branch, machine, agent or client. */
  text?: string | undefined;
  /** 1–1,000; default 100. */
  limit?: number | undefined;
  cursor?: string | undefined;
  /** By creation time. Default `newest`. */
  order?: "newest" | "oldest" | undefined;
}

/** One page of `Desk.list`. */
export interface DeskPage {
  items: SessionView[];
  /** The cursor of the next page. A page may end before its limit if its sessions are large. */
  nextCursor?: string | undefined;
}

/** Which sessions a watch reports. Every filter that is set must match. */
export interface WatchFilter {
  project?: string | undefined;
  agentId?: string | undefined;
  machine?: string | undefined;
  /** The only session to report. */
  sessionId?: string | undefined;
  /** Report a pending session's presence by itself, as a `presence` event. Default: with its session, which costs more. */
  presence?: boolean | undefined;
}

/** An event for a watcher: first all pending sessions, then each change. A session's changes come in revision order. */
export type DeskEvent =
  | { type: "snapshot"; sessions: SessionView[]; drafts: Draft[] }
  /**
   * The session is new or has changed, or its presence has. `opened`: this is the first that the watch reports of it, so it was opened since the
   * last snapshot; never for a session of a snapshot.
   */
  | { type: "session"; session: SessionView; opened?: true | undefined }
  /** Only if the filter wants presence by itself, and for pending sessions. */
  | { type: "presence"; sessionId: string; presence: Presence }
  | { type: "removed"; sessionId: string }
  | { type: "draft"; draft: Draft }
  | { type: "draft_erased"; sessionId: string };

/** A request that is safe to repeat: with the same key, 1–200 characters, it takes effect once and returns the current state. */
export interface Idempotent {
  idempotencyKey?: string | undefined;
}

/** What people have written more than once, the most often first: at most 6 of each, of up to 200 characters. */
export interface Phrases {
  /** Answers in words, and words besides an option. */
  texts: string[];
  /** Reasons for declining or denying. */
  reasons: string[];
}

/** A live view; `close` ends it. */
export interface Watch {
  close(): void;
}

/**
 * How people see and settle sessions. Each desk acts for one answerer (a surface, and a name).
 * Ids may be shortened to a unique prefix of at least 4 characters (`SESSION_NOT_FOUND`, `AMBIGUOUS_ID`).
 * Verify an implementation with `deskContract` from `@askbox/core/testing`.
 */
export interface Desk {
  list(query?: DeskQuery): Promise<DeskPage>;
  get(id: string): Promise<SessionView>;
  /**
   * Counts the settled sessions that were asked on or after the first of these days, at most 400, which are given by when they begin: wall
   * time, ascending. Throws `VALIDATION`.
   */
  tally(days: readonly number[]): Promise<Tally>;
  /** Calls the listener with a snapshot before it resolves, then with every change until it is closed. */
  watch(filter: WatchFilter, listener: (event: DeskEvent) => void): Promise<Watch>;
  /**
   * Answers a pending session. Durable when it resolves. With `delay` (ms, 0–60,000), the hub holds it back so that `recall` can undo it.
   * Throws `INVALID_ANSWER` (details.issues: a sentence for each question) and `SESSION_CLOSED` (details.session: the session with its outcome).
   */
  answer(id: string, set: AnswerSet, options?: { delay?: number | undefined } & Idempotent): Promise<SessionView>;
  /** Undoes an answer or a decline that was sent with a delay and is still held back. Throws `SESSION_CLOSED`. */
  recall(id: string, options?: Idempotent): Promise<SessionView>;
  /**
   * Declines a pending session. Durable when it resolves. With `delay` (ms, 0–60,000), the hub holds the decline back as it does an answer,
   * so that `recall` can undo it. Throws `SESSION_CLOSED`.
   */
  cancel(id: string, options?: { reason?: string | undefined; delay?: number | undefined } & Idempotent): Promise<SessionView>;
  /** Moves the deadline to `timeout` ms from now (1,000–86,400,000), or removes it (null). It can only be moved later. */
  extend(id: string, options: { timeout: number | null } & Idempotent): Promise<SessionView>;
  /**
   * Moves a pending session to the end of this person's list until then, wall time within the next 30 days, and announces it again at that
   * time; null wakes it. People are told apart by the name of their desk. The deadline stays. Throws `VALIDATION`, `SESSION_CLOSED`.
   */
  snooze(id: string, options: { until: number | null } & Idempotent): Promise<SessionView>;
  getDraft(id: string): Promise<Draft | undefined>;
  /** Writes the named fields of the draft, creating it. Throws `SESSION_CLOSED`. */
  saveDraft(id: string, patch: DraftPatch): Promise<Draft>;
  /** A reply after the deadline. The session remains timed out, and the asker gets the reply with its next result. Throws `SESSION_PENDING`, `SESSION_CLOSED`. */
  reply(id: string, set: AnswerSet, options?: Idempotent): Promise<SessionView>;
  /**
   * Asks the agent something before answering: the session stays pending, and its deadline moves to at least 5 minutes from now. Durable when it
   * resolves; an agent that isn't waiting gets it with its next call. A message has 1–4,000 characters, or files and up to as many; one
   * session allows at most 20. Throws `VALIDATION`, `INVALID_ANSWER` for a file that isn't stored with the session, `TOO_MANY_ROUNDS` and
   * `SESSION_CLOSED`; a message sent just as the session is settled is still kept in its thread.
   */
  askBack(id: string, message: AskBack, options?: Idempotent): Promise<SessionView>;
  /**
   * The conversations of agents, those that wait first, then by their last activity: at most 100, of at most 500 pending sessions and the 500
   * newest.
   */
  conversations(): Promise<Conversation[]>;
  /** What people often write: from the newest 300 settled sessions of a project, or of all. */
  phrases(project?: string): Promise<Phrases>;
  /**
   * Writes to an agent's conversation, by its id or that of one of its sessions. Durable when it resolves with the session whose thread has the
   * message: an agent that waits for a question gets it at once, as if it was asked back, and the question stays open; otherwise it gets
   * it with its next call. 1–4,000 characters; at most 20 undelivered messages in a conversation. Throws `VALIDATION`, `TOO_MANY_ROUNDS`
   * and `SESSION_NOT_FOUND`.
   */
  message(id: string, text: string, options?: Idempotent): Promise<SessionView>;
  /** How the session's agent would get what a person sends now. Asks its client, so it may take a second. */
  outlook(id: string): Promise<Outlook>;
  /**
   * Wakes the session's agent now with what it has not received, also if it has gone: at most once for the same, so a repeated request does no
   * harm. The session's `waking` says how it went. Throws `VALIDATION` if there is nothing to wake it with, or no way.
   */
  wake(id: string): Promise<SessionView>;
  /** Shows that this answerer has the session open, until the returned function is called or the desk disconnects. */
  attend(id: string): Promise<() => void>;
}

const resumeSchema = z.object({ how: z.enum(["registered", "conversation", "latest"]), command: z.string() });

/** Checks an outlook. */
export const outlookSchema = /* @__PURE__ */ (() =>
  z.object({
    /** What its client does with the conversation now, as far as that can be seen. */
    client: z.enum(["busy", "idle", "gone", "unknown"]),
    /**
     * Its call `waits`; its open conversation `continues`, after its turn if it is busy; it `resumes` in the background; a person can `start`
     * it; or it gets it with its `next_call`.
     */
    next: z.enum(["waits", "continues", "resumes", "start", "next_call"]),
    /** How a person can continue the conversation, with a command line for a POSIX shell. */
    resume: resumeSchema.optional(),
  }))();
/** How an agent will get what a person sends. */
export type Outlook = z.infer<typeof outlookSchema>;

/** What an agent does: it waits for an answer, works (it is connected, will return, or was heard of lately), or has gone. */
const conversationStates = ["waiting", "working", "gone"] as const;

/** Checks a conversation. */
export const conversationSchema = /* @__PURE__ */ (() =>
  z.object({
    id: z.string(),
    /** As it described itself with its latest question. */
    asker: storedAskerSchema,
    /** The name that its id was registered with. */
    name: z.string().optional(),
    state: z.enum(conversationStates),
    /** Since when: the oldest question that it waits for, or when it was last heard of. */
    since: timeSchema,
    /** Its first question, of those that were read. */
    startedAt: timeSchema,
    /** How to continue it after it has gone, with a command line for a POSIX shell. */
    resume: resumeSchema.optional(),
    /** The end of what it printed when it was last resumed in the background, at most 4,000 characters. */
    output: z.string().optional(),
    /** Messages to the agent that it has not received. */
    undelivered: z.int(),
    /** Whether a message can reach it: it has asked with a tool, rather than only for approval. */
    takesMessages: z.boolean(),
    /** Its latest, newest first: at most 5. The question is the first one, shortened to 200 characters; an action is the title. */
    sessions: z.array(
      z.object({
        id: z.string(),
        title: z.string().optional(),
        question: z.string(),
        status: statusSchema,
        createdAt: timeSchema,
      }),
    ),
  }))();
/** An agent's conversation, as its questions show it. Times are wall time in ms since the epoch. */
export type Conversation = z.infer<typeof conversationSchema>;

/** How many events are buffered for a slow reader; beyond that the reader gets a new snapshot instead. */
const maxKept = 1_000;

/**
 * The events of a desk as an async iterable: a snapshot first, then each change. Ends when you leave the loop or abort the signal. A reader
 * that falls behind by more than 1,000 events gets a new snapshot instead. Throws what `Desk.watch` throws.
 *
 * @example
 * ```ts
 * import { type Desk, deskEvents } from "@askbox/core";
 *
 * export async function report(desk: Desk) {
 *   for await (const event of deskEvents(desk)) if (event.type === "session") console.log(event.session.status);
 * }
 * ```
 */
export async function* deskEvents(
  desk: Pick<Desk, "watch">,
  filter: WatchFilter = {},
  { signal }: { signal?: Signal | undefined } = {},
): AsyncGenerator<DeskEvent, void, undefined> {
  let kept: DeskEvent[] = [];
  let missed = false;
  let wake = () => {};
  const listener = (event: DeskEvent) => {
    if (kept.length < maxKept) kept.push(event);
    else missed = true;
    wake();
  };
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  let watch: Watch | undefined;
  try {
    while (signal?.aborted !== true) {
      if (watch === undefined || missed) {
        watch?.close();
        kept = [];
        missed = false;
        watch = await desk.watch(filter, listener);
      }
      const event = kept.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    watch?.close();
    signal?.removeEventListener("abort", onAbort);
  }
}
