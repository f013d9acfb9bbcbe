import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type StandardSchemaV1,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";

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

/** The name of MCP's extension for tasks. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** Stores tasks. Each method throws `unknownTask()` if the caller has no such task. */
export interface TaskPort {
  get(taskId: string, ctx: ServerContext): Promise<Task>;
  /**
   * Waits until the task has ended, and gives it; its result counts as delivered then. Rejects when the request is cancelled. Without it, no
   * subscription to tasks is acknowledged.
   */
  watch?(taskId: string, give: (task: Task) => Promise<void>, ctx: ServerContext): Promise<void>;
  /** Passes the client's answers on. Unknown keys must be ignored. */
  update(taskId: string, responses: Record<string, unknown>, ctx: ServerContext): Promise<void>;
  /** Cancels a running task; does nothing if it has ended. */
  cancel(taskId: string, ctx: ServerContext): Promise<void>;
}

/** Whether the client of this request supports tasks. It declares so with each request, since revision 2026-07-28 only. */
export function takesTasks(ctx: ServerContext): boolean {
  // The envelope is typed empty and passed on as received.
  // keys: a constant of MCP.
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
  return declaresTasks(envelope[CLIENT_CAPABILITIES_META_KEY]);
}

/** Throws `-32021` if the client does not support tasks. */
export function requireTasks(ctx: ServerContext): void {
  if (!takesTasks(ctx)) throw missingTasks();
}

/** The error for a task that does not exist for the caller. */
export function unknownTask(): ProtocolError {
  return invalid("This task does not exist; it may have expired.");
}

/** Makes a server that is not connected yet serve the Tasks extension. Only for revisions since 2026-07-28. */
export function serveTasks(mcp: McpServer, tasks: TaskPort): void {
  const { server } = mcp;
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } });
  server.setRequestHandler("tasks/get", { params: anyObject }, async (asked, ctx) =>
    taskDetails(await tasks.get(taskIdOf(asked, ctx), ctx)),
  );
  server.setRequestHandler("tasks/update", { params: anyObject }, async (asked, ctx) => {
    const taskId = taskIdOf(asked, ctx);
    // The SDK removes them from the params, as for every request that is repeated with answers.
    const { inputResponses } = ctx.mcpReq;
    if (inputResponses === undefined) throw invalid("inputResponses must be an object.");
    await tasks.update(taskId, inputResponses, ctx);
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: anyObject }, async (asked, ctx) => {
    await tasks.cancel(taskIdOf(asked, ctx), ctx);
    return {};
  });
  server.setRequestHandler(listenMethod, { params: anyObject }, (asked, ctx) => listen(tasks, asked, ctx) as never);
  const connect = mcp.connect.bind(mcp);
  mcp.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutContent(message), options);
    await connect(transport);
  };
}

/** Tasks of one subscription; the rest are not acknowledged. */
const maxListened = 100;
/** The SDK answers `subscriptions/listen` itself, and knows no tasks, so a request for those gets this name. */
const listenMethod = "askbox/listen";

/**
 * A subscription to tasks: it is acknowledged with those that exist, and each is given once it has ended. askbox has no other news, so it is over
 * then, or when the client cancels it or its stream ends.
 */
async function listen(tasks: TaskPort, { notifications }: Record<string, unknown>, ctx: ServerContext): Promise<Record<string, unknown>> {
  requireTasks(ctx);
  const { mcpReq } = ctx;
  const { taskIds: wanted } = Object(notifications) as { taskIds?: unknown };
  const ids = [...new Set(Array.isArray(wanted) ? wanted : [])].filter((id) => typeof id === "string").slice(0, maxListened);
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: mcpReq.id };
  const tell = (method: string, told: object) => mcpReq.notify({ method, params: { ...told, _meta } } as never);
  const isKnown = await Promise.all(
    ids.map((id) =>
      tasks.get(id, ctx).then(
        () => true,
        () => false,
      ),
    ),
  );
  const taskIds = ids.filter((_, index) => isKnown[index] && tasks.watch !== undefined);
  await tell("notifications/subscriptions/acknowledged", { notifications: { taskIds } });
  await Promise.allSettled(taskIds.map((id) => tasks.watch?.(id, (task) => tell("notifications/tasks", taskDetails(task)), ctx)));
  return { _meta };
}

/** A request to listen to tasks under the name by which it is served; any other message as it is. */
export function asTaskListen<Message>(message: Message): Message {
  const { method, params } = Object(message) as { method?: unknown; params?: { notifications?: unknown } };
  if (method !== "subscriptions/listen" || Object(Object(params).notifications).taskIds === undefined) return message;
  return { ...message, method: listenMethod };
}

/** Rejects `subscriptions/listen` for tasks if the client does not support them; otherwise returns undefined. */
export function refusedListen(message: unknown): JSONRPCMessage | undefined {
  const { id, method, params } = Object(message) as { id?: unknown; method?: unknown; params?: unknown };
  if (method !== "subscriptions/listen" || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const { notifications, _meta } = Object(params) as { notifications?: unknown; _meta?: unknown };
  const { taskIds } = Object(notifications) as { taskIds?: unknown };
  if (taskIds === undefined || declaresTasks((Object(_meta) as Record<string, unknown>)[CLIENT_CAPABILITIES_META_KEY])) return undefined;
  const { code, message: text, data } = missingTasks();
  return { jsonrpc: "2.0", id, error: { code, message: text, data } };
}

/** Makes a transport with a connected server take requests to listen to tasks to where they are served, or refuse them. */
export function takeListens(transport: Transport): void {
  const pass = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const refused = refusedListen(message);
    if (refused === undefined) pass?.(asTaskListen(message), extra);
    else transport.send(refused).catch(() => {});
  };
}

function declaresTasks(capabilities: unknown): boolean {
  const { extensions } = Object(capabilities) as { extensions?: unknown };
  return Object.hasOwn(Object(extensions), tasksExtension);
}

function missingTasks(): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  return new MissingRequiredClientCapabilityError({ requiredCapabilities }, `This requires a client that declares ${tasksExtension}.`);
}

/** The SDK requires every tool result to have content; a task's handle has none. */
function withoutContent(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || message.result["resultType"] !== "task") return message;
  const { content: _content, ...result } = message.result;
  return { ...message, result };
}

const invalid = (sentence: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);

/** Throws `-32021` before any other check. */
function taskIdOf({ taskId }: Record<string, unknown>, ctx: ServerContext): string {
  requireTasks(ctx);
  if (typeof taskId !== "string") throw invalid("taskId must be a string.");
  return taskId;
}

/** Accepts any object. */
export const anyObject: StandardSchemaV1<unknown, Record<string, unknown>> = {
  "~standard": { version: 1, vendor: "askbox", validate: (value) => ({ value: { ...(Object(value) as object) } }) },
};
