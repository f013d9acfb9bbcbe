import { cut } from "@askbox/core/questions";
import { parseExact } from "@askbox/core/schemas";
import * as z from "zod";

/** Limits of what is taken from the socket. */
export const socketLimits = Object.freeze({
  /** Bytes of one message. */
  message: 8 * 1_024 * 1_024,
  threads: 200,
  /** Requests that wait for a decision. */
  pending: 100,
  /** Characters of one request as JSON, with its changes. A larger one can't be shown completely. */
  request: 250_000,
});

const idSchema = z.string().min(1).max(200);
const pathSchema = z.string().min(1).max(4_096);
const requestIdSchema = z.union([z.int(), idSchema]);
/** The daemon's id of a request. */
export type RequestId = z.output<typeof requestIdSchema>;

const statusSchema = z.object({ type: z.string().max(100), activeFlags: z.array(z.string().max(100)).max(20).optional() });
export type ThreadStatus = z.output<typeof statusSchema>;

const changeSchema = z.object({
  path: pathSchema,
  kind: z.object({ type: z.enum(["add", "delete", "update"]), move_path: pathSchema.nullish() }),
  diff: z.string(),
});
/** What a patch does to one file. */
export type FileChange = z.output<typeof changeSchema>;
export const changesSchema = z.array(changeSchema).min(1).max(1_000);

const patchSchema = z.object({ type: z.literal("fileChange"), id: idSchema, changes: changesSchema });

const threadSchema = z.object({
  id: idSchema,
  sessionId: idSchema,
  cwd: pathSchema,
  /** Threads of Codex' own, such as for a title. */
  ephemeral: z.boolean(),
  status: statusSchema,
});
export type CodexThread = z.output<typeof threadSchema>;

/** The answer to `thread/read`, and the start of the one to `thread/resume`. */
export const threadAnswerSchema = z.object({ thread: threadSchema });
/** The patches of the running turn, from a `thread/resume` with its last turn. */
export const lastTurnSchema = z.object({
  initialTurnsPage: z.object({ data: z.array(z.object({ items: z.array(z.unknown()).max(100_000) })).max(10) }),
});
export const loadedSchema = z.object({ data: z.array(idSchema).max(10_000) });

const requestSchema = z.object({
  id: requestIdSchema,
  method: z.string().max(200),
  params: z.looseObject({ threadId: idSchema, turnId: idSchema.nullish() }),
});
/** A request that the daemon waits for, and that any of its clients may answer. */
export type ServerRequest = z.output<typeof requestSchema>;

const responseSchema = z.object({ id: z.int(), result: z.unknown() });
const failureSchema = z.object({ id: z.int(), error: z.object({ message: z.string() }) });

const wordSchema = z.string().max(100).nullish();
/** How Codex' reviewing model has judged an action. */
export const reviewSchema = z.object({
  threadId: idSchema,
  turnId: idSchema.nullish(),
  reviewId: idSchema,
  targetItemId: idSchema.nullish(),
  startedAtMs: z.number(),
  completedAtMs: z.number().nullish(),
  decisionSource: wordSchema,
  review: z.object({ status: z.string().max(100), riskLevel: wordSchema, userAuthorization: wordSchema, rationale: z.string().nullish() }),
  action: z.looseObject({ type: z.string().max(100) }),
});
export type CodexReview = z.output<typeof reviewSchema>;

const notificationSchema = z.discriminatedUnion("method", [
  z.object({ method: z.literal("thread/status/changed"), params: z.object({ threadId: idSchema, status: statusSchema }) }),
  z.object({ method: z.literal("thread/started"), params: z.object({ thread: threadSchema }) }),
  z.object({ method: z.literal("thread/closed"), params: z.object({ threadId: idSchema }) }),
  z.object({ method: z.literal("serverRequest/resolved"), params: z.object({ threadId: idSchema, requestId: requestIdSchema }) }),
  z.object({ method: z.literal("item/started"), params: z.object({ threadId: idSchema, item: patchSchema }) }),
  z.object({ method: z.literal("item/autoApprovalReview/completed"), params: reviewSchema }),
]);
export type Notification = z.output<typeof notificationSchema>;

export type Message =
  | { kind: "request"; request: ServerRequest }
  | { kind: "response"; id: number; result: unknown }
  | { kind: "failure"; id: number; message: string }
  | { kind: "notification"; notification: Notification };

/** A message of the daemon; undefined if it is malformed, or does not concern approvals. */
export function readMessage(text: string): Message | undefined {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return undefined;
  if ("method" in value) {
    if (!("id" in value)) {
      const { success, data } = notificationSchema.safeParse(value);
      return success ? { kind: "notification", notification: data } : undefined;
    }
    const { success, data } = requestSchema.safeParse(parsed(text, parseExact));
    return success ? { kind: "request", request: data } : undefined;
  }
  const failure = failureSchema.safeParse(value);
  if (failure.success) return { kind: "failure", id: failure.data.id, message: cut(failure.data.error.message, 500, "") };
  if (!("result" in value)) return undefined;
  const { success, data } = responseSchema.safeParse(value);
  return success ? { kind: "response", id: data.id, result: data.result } : undefined;
}

function parsed(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What `thread/approveGuardianDeniedAction` takes: the same review as Codex' core words it, in snake case, also the names of kinds. Codex 0.171
 * refuses what its own notification says.
 */
export function deniedEvent({ review, action, ...params }: CodexReview): object {
  const { reviewId, targetItemId, turnId, startedAtMs, completedAtMs, decisionSource } = params;
  const { status, riskLevel, userAuthorization, rationale } = review;
  const named = Object.entries(action).map(([name, value]) => [
    snake(name),
    (name === "type" || name === "source") && typeof value === "string" ? snake(value) : value,
  ]);
  return {
    id: reviewId,
    target_item_id: targetItemId,
    turn_id: turnId,
    started_at_ms: startedAtMs,
    completed_at_ms: completedAtMs,
    status,
    risk_level: riskLevel,
    user_authorization: userAuthorization,
    rationale,
    decision_source: decisionSource,
    action: Object.fromEntries(named),
  };
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The patches among a turn's items, by id. */
export function patchesOf(items: readonly unknown[]): [id: string, changes: FileChange[]][] {
  return items.flatMap((item): [string, FileChange[]][] => {
    const { success, data } = patchSchema.safeParse(item);
    return success ? [[data.id, data.changes]] : [];
  });
}
