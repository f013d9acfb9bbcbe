/** A tool call that continues without its request, as in the Tasks extension (SEP-2663, revision 2026-07-28). */
export type Task = TaskFacts & TaskState;

/** What is known of a task besides its state. */
export interface TaskFacts {
  /** Not guessable; visible ASCII, because it is also sent in a header. */
  id: string;
  /** For the client, its person or its model. */
  message?: string | undefined;
  /** Wall time in ms. */
  createdAt: number;
  /** Wall time in ms. */
  updatedAt: number;
  /** The minimum time after its creation for which the task can be requested, in ms; null if unlimited. */
  ttl: number | null;
  /** The polling interval for clients, in ms. */
  pollInterval: number;
}

/** The state of a task. */
export type TaskState =
  | { status: "working" }
  /** What to ask the client, by keys that are never reused within a task. */
  | { status: "input_required"; inputRequests: Record<string, unknown> }
  /** The call's result, with or without `isError`. */
  | { status: "completed"; result: Record<string, unknown> }
  /** The call ended with a JSON-RPC error. */
  | { status: "failed"; error: { code: number; message: string; data?: unknown } }
  | { status: "cancelled" };

/** What a tool call returns instead of its result. Contains nothing of the task's outcome. */
export function taskHandle(task: Task): Record<string, unknown> {
  return { resultType: "task", ...facts(task) };
}

/** A task with everything known about it, as `tasks/get` returns it. */
export function taskDetails(task: Task): Record<string, unknown> {
  switch (task.status) {
    case "input_required":
      return { ...facts(task), inputRequests: task.inputRequests };
    case "completed":
      // As in a response to the call itself; the official client requires it.
      return { ...facts(task), result: { resultType: "complete", ...task.result } };
    case "failed":
      return { ...facts(task), error: task.error };
    default:
      return facts(task);
  }
}

function facts({ id, status, message, createdAt, updatedAt, ttl, pollInterval }: Task): Record<string, unknown> {
  return {
    taskId: id,
    status,
    statusMessage: message,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}
