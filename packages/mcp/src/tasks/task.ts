/** A call of a tool that continues without its request, as the Tasks extension describes it (SEP-2663, revision 2026-07-28). */
export type Task = TaskFacts & TaskState;

/** What is known of a task apart from its state. */
export interface TaskFacts {
  /** Cannot be guessed; visible ASCII, because it goes in a header too. */
  id: string;
  /** For the client, its person or its model. */
  message?: string | undefined;
  /** Wall time in ms. */
  createdAt: number;
  /** Wall time in ms. */
  updatedAt: number;
  /** How long after its creation the task can be asked for at least, in ms; null for always. */
  ttl: number | null;
  /** How long a client is to wait between two looks, in ms. */
  pollInterval: number;
}

/** The state of a task. */
export type TaskState =
  | { status: "working" }
  /** What the client is to be asked, by keys that never come twice within one task. */
  | { status: "input_required"; inputRequests: Record<string, unknown> }
  /** The call's result, whether it says `isError` or not. */
  | { status: "completed"; result: Record<string, unknown> }
  /** The call ended with a JSON-RPC error. */
  | { status: "failed"; error: { code: number; message: string; data?: unknown } }
  | { status: "cancelled" };

/** What a call of a tool returns in place of its result. Nothing of the task's outcome is in it. */
export function taskHandle(task: Task): Record<string, unknown> {
  return { resultType: "task", ...facts(task) };
}

/** A task with all that is known of it, as `tasks/get` answers. */
export function taskDetails(task: Task): Record<string, unknown> {
  switch (task.status) {
    case "input_required":
      return { ...facts(task), inputRequests: task.inputRequests };
    case "completed":
      // As the call itself would have been answered; the official client takes none without it.
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
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}
