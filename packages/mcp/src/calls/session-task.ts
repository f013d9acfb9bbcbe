import { askedBack, isAskboxError, type SessionRecord } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { dialectOf, isDialectName } from "../dialects/index.ts";
import { type Task, type TaskFacts, type TaskState, taskHandle, unknownTask } from "../tasks/index.ts";
import { type Call, type NamedAsker, namedAsker, type Reply } from "./call.ts";
import { reply } from "./reply.ts";

/** How long a task can be asked for after its deadline, in ms: a day. Sessions are kept for longer unless the hub's owner says otherwise. */
const afterDeadline = 86_400_000;
/** An answer within the first minute is waited for; later ones find the agent at other work. Milliseconds. */
const pollIntervals = { atFirst: 1_000, later: 5_000 };
const first = 60_000;

/** A task is a session: its id, and after a dot the tool that was called, whose form the result has. */
const taskIdOf = (sessionId: string, tool: string) => `${sessionId}.${tool}`;

function partsOf(taskId: string) {
  const [sessionId = "", tool = "", ...rest] = taskId.split(".");
  if (sessionId === "" || rest.length > 0 || !isDialectName(tool)) throw unknownTask();
  return { sessionId, tool };
}

/** The task that a call gives in place of its result; undefined if the session is settled by now. */
export async function beginTask(call: Call, asker: NamedAsker, id: string): Promise<Reply | undefined> {
  const session = await look(call, asker, id);
  if (session.state !== "pending") return undefined;
  // A task's handle is no result of a tool; the SDK hands it on as it is.
  return { result: taskHandle(taskOf(call, session, call.name, { status: "working" })) as unknown as CallToolResult };
}

/** Throws `-32602` for a task that is not there for this token. */
export async function getTask(call: Call, taskId: string): Promise<Reply<Task>> {
  const { sessionId, tool } = partsOf(taskId);
  const asker = await namedAsker(call);
  const session = await known(look(call, asker, sessionId));
  if (session.state === "pending" && !endedAskedBack(session)) return { result: taskOf(call, session, tool, { status: "working" }) };
  if (isWithdrawn(session)) return { result: taskOf(call, session, tool, { status: "cancelled" }) };
  const given = await known(asker.port.resume(sessionId, { asker: asker.info, signal: call.signal, maxWait: 0 }));
  const { result, written, unwritten } = reply(call, asker, { sessionId, session, given }, (await dialectOf(tool).speech()).write);
  return { result: taskOf(call, session, tool, { status: "completed", result: { ...result } }), written, unwritten };
}

/** How it stands; other outcomes come with a task's result alone. */
async function look(call: Call, { port, info }: NamedAsker, sessionId: string): Promise<SessionRecord> {
  return (await port.resume(sessionId, { asker: info, signal: call.signal, maxWait: 0, earlier: false })).session;
}

/** Nothing is ever asked of a task's client: its person answers in askbox. Throws `-32602`. */
export async function updateTask(call: Call, taskId: string): Promise<void> {
  const { sessionId } = partsOf(taskId);
  await known(look(call, await namedAsker(call), sessionId));
}

/** Takes the questions back. Throws `-32602`. */
export async function cancelTask(call: Call, taskId: string): Promise<void> {
  const { sessionId } = partsOf(taskId);
  const { port, info } = await namedAsker(call);
  try {
    await known(port.withdraw(sessionId, { asker: info, reason: "The agent cancelled the task." }));
  } catch (error) {
    // Whoever settled it first has won, and the task tells of that.
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
 * Whether the task has ended with what a person asked back. `input_required` would put that to the client's person, or to a model without the conversation; the
 * agent has it as the task's result, and goes on with `get_answer`. A task that has ended stays so. Of messages that a session took over, the agent has those
 * that it was given.
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
