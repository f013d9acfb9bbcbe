import { askedBack, isAskboxError, type SessionRecord } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { dialectOf, isDialectName } from "../dialects/index.ts";
import { type Task, type TaskFacts, type TaskState, taskHandle, unknownTask } from "../tasks.ts";
import { type Call, type NamedAsker, namedAsker, type Reply } from "./call.ts";
import { reply } from "./reply.ts";

/** How long a task can be requested after its deadline, in ms: a day. Sessions are kept longer by default. */
const afterDeadline = 86_400_000;
/** The polling interval in the first minute is short, since the agent is likely to wait; later it is longer. Milliseconds. */
const pollIntervals = { atFirst: 1_000, later: 5_000 };
const first = 60_000;

/** A task is a session: its id, then a dot and the name of the tool that was called, which determines the result's format. */
const taskIdOf = (sessionId: string, tool: string) => `${sessionId}.${tool}`;

function partsOf(taskId: string) {
  const [sessionId = "", tool = "", ...rest] = taskId.split(".");
  if (sessionId === "" || rest.length > 0 || !isDialectName(tool)) throw unknownTask();
  return { sessionId, tool };
}

/** The task that a call returns instead of its result; undefined if the session is already settled. */
export async function beginTask(call: Call, asker: NamedAsker, id: string): Promise<Reply | undefined> {
  const session = await look(call, asker, id);
  if (session.state !== "pending") return undefined;
  // A task's handle is not a tool result; the SDK passes it on unchanged.
  return { result: taskHandle(taskOf(call, session, call.name, { status: "working" })) as unknown as CallToolResult };
}

/** Throws `-32602` if this token has no such task. */
export async function getTask(call: Call, taskId: string): Promise<Reply<Task>> {
  const { sessionId, tool } = partsOf(taskId);
  const asker = await namedAsker(call);
  const session = await known(look(call, asker, sessionId));
  if (session.state === "pending" && !endedAskedBack(session)) return { result: taskOf(call, session, tool, { status: "working" }) };
  if (isWithdrawn(session)) return { result: taskOf(call, session, tool, { status: "cancelled" }) };
  const handover = await known(asker.port.resume(sessionId, { asker: asker.info, signal: call.signal, maxWait: 0 }));
  const { result, written, unwritten } = await reply(
    call,
    asker,
    { sessionId, session, collected: handover },
    await dialectOf(tool).codec(),
  );
  return { result: taskOf(call, session, tool, { status: "completed", result: { ...result } }), written, unwritten };
}

/**
 * Waits, as a call does, until a task has ended, and gives it. Its result counts as delivered once `give` has written it; until then, and if
 * the signal of the call aborts, it is as if nobody had waited.
 */
export async function watchTask(call: Call, taskId: string, give: (task: Task) => Promise<void>): Promise<void> {
  const { sessionId } = partsOf(taskId);
  const { port, info } = await namedAsker(call);
  const handover = await known(port.resume(sessionId, { asker: info, signal: call.signal, earlier: false }));
  await handover.nack();
  const { result, written, unwritten } = await getTask(call, taskId);
  try {
    await give(result);
  } catch (error) {
    await unwritten?.();
    throw error;
  }
  await written?.();
}

/** The current state; other outcomes are only included in a task's result. */
async function look(call: Call, { port, info }: NamedAsker, sessionId: string): Promise<SessionRecord> {
  return (await port.resume(sessionId, { asker: info, signal: call.signal, maxWait: 0, earlier: false })).session;
}

/** A task's client is never asked for input: its person answers in askbox. Throws `-32602`. */
export async function updateTask(call: Call, taskId: string): Promise<void> {
  const { sessionId } = partsOf(taskId);
  await known(look(call, await namedAsker(call), sessionId));
}

/** Withdraws the questions. Throws `-32602`. */
export async function cancelTask(call: Call, taskId: string): Promise<void> {
  const { sessionId } = partsOf(taskId);
  const { port, info } = await namedAsker(call);
  try {
    await known(port.withdraw(sessionId, { asker: info, reason: "The agent cancelled the task." }));
  } catch (error) {
    // If it is already settled, the task returns that outcome.
    if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
  }
}

function taskOf(call: Call, session: SessionRecord, tool: string, state: TaskState): Task {
  const { id, createdAt, closedAt, context } = session;
  const { clock } = call.server.platform;
  const facts: TaskFacts = {
    id: taskIdOf(id, tool),
    message: messageOf(session, state),
    createdAt,
    updatedAt: closedAt ?? createdAt,
    ttl: context.deadlineAt === null ? null : context.deadlineAt - createdAt + afterDeadline,
    pollInterval: clock.now() - createdAt < first ? pollIntervals.atFirst : pollIntervals.later,
  };
  return { ...facts, ...state };
}

function messageOf({ id, context }: SessionRecord, { status }: TaskState): string {
  if (status === "working") return `Waiting for a person's answer. To give it, run: askbox answer ${id.slice(0, 8)}`;
  if (status === "cancelled") return "The questions were withdrawn.";
  switch (context.outcome?.kind) {
    case "answered":
      return "The person has answered.";
    case "cancelled":
      return "The person has cancelled the questions.";
    case undefined:
      return "The person asked something back.";
    default:
      return "Nobody answered in time.";
  }
}

/**
 * Whether the task has ended because a person asked something back. `input_required` would put that to the client's user, or to a model
 * without the conversation; instead the agent gets it as the task's result, and continues with `get_answer`. A task that has ended stays
 * ended. Messages that a session took over count as delivered to the agent if they were.
 */
const endedAskedBack = (session: SessionRecord) => (session.replaces === undefined ? session.thread : askedBack(session)).length > 0;

const isWithdrawn = ({ context: { outcome } }: SessionRecord) => outcome?.kind === "cancelled" && outcome.by.surface === "asker";

async function known<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isAskboxError(error, "SESSION_NOT_FOUND") ? unknownTask() : error;
  }
}
