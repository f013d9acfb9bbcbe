import { randomBytes } from "node:crypto";
import { clientNamed, type EntryLaunch, entryLaunch } from "@askbox/clients";
import { AskboxError, type AskInput, type AskResult, type Desk, toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { startAgent } from "../client/mcp-agent.ts";
import type { CommandContext } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { version } from "../version.ts";
import { type Candidate, type Installed, setupSystem } from "./candidates.ts";

/*
 * A first question, asked through the entry in a client's own settings: it shows that what was written works. The entry may not start a server,
 * the question may not arrive in time, and the person may leave; each is an outcome of its own, not a crash.
 */

/** Milliseconds for a question to reach the inbox. */
const arrivalLimit = 30_000;

interface FirstQuestion {
  client: ClientName;
  title: string;
  launch: EntryLaunch;
}

/** The first of these clients whose entry starts a server. */
function firstEntry(context: CommandContext, clients: readonly { client: ClientName; title: string }[]): FirstQuestion | undefined {
  for (const { client, title } of clients) {
    const launch = entryLaunch(clientNamed(client), setupSystem(context), "user");
    if (launch !== undefined) return { client, title, launch };
  }
  return undefined;
}

export const places = [
  { label: "In the terminal", value: "terminal", description: "askbox" },
  { label: "In the browser", value: "browser", description: "askbox open" },
  { label: "On a phone", value: "phone", description: "askbox open --qr" },
  { label: "From a shell", value: "shell", description: "askbox list, askbox answer" },
] as const;

/** The question id is new each time, so that it is told apart from what other agents ask at the same time. */
function questionFor(title: string, id: string): AskInput {
  const text = `This came the same way as what ${title}'s agent will ask. Where do you want to answer your agents?`;
  return {
    title: `A first question, through ${title}'s entry`,
    questions: [{ id, type: "select", question: text, options: places.map((place) => ({ ...place })) }],
    timeout: 600_000,
  };
}

/** How it ended: `arrived` in the inbox, and withdrawn there; `returned` as a person settled it; `left` without an answer. */
type Asked = { kind: "arrived" } | { kind: "returned"; result: AskResult; value: string | undefined } | { kind: "left" };

/**
 * Asks through a client's entry, as its settings have it. With a terminal, the person answers in the inbox that opens. Otherwise the
 * question is withdrawn once it has arrived, since nobody is asked. Without a desk, on a machine that only asks, somebody answers it elsewhere. Throws if the server doesn't start or the question doesn't arrive.
 */
async function askFirst(
  context: CommandContext,
  desk: Desk | undefined,
  { title, launch }: FirstQuestion,
  { isAnswered, signal }: { isAnswered: boolean; signal: AbortSignal },
): Promise<Asked> {
  const questionId = `setup_${randomBytes(4).toString("hex")}`;
  const arrived = Promise.withResolvers<string>();
  const watch = await desk?.watch({}, (event) => {
    if (event.type === "session" && event.session.questions[0]?.id === questionId) arrived.resolve(event.session.id);
  });
  const env = { ...context.io.env, ...launch.env };
  const agent = await startAgent({ name: "askbox setup", command: launch.command, env, version }).catch((error: unknown) => {
    watch?.close();
    throw new AskboxError("INTERNAL", `${title}'s entry doesn't start: ${toAskboxError(error).message}`, { cause: error });
  });
  try {
    const result = agent.ask(questionFor(title, questionId));
    // Until it is awaited, its failure counts as that of the arrival.
    result.catch(() => {});
    if (desk === undefined) {
      await context.io.stderr.write("A first question was asked. Answer it where the hub is; Ctrl-C leaves it.\n");
      const there = await Promise.race([result, aborted(signal)]);
      return there === undefined ? { kind: "left" } : returned(there);
    }
    const id = await Promise.race([arrived.promise, result.then(notAsked), ended(signal)]);
    if (id === undefined) return { kind: "left" };
    if (!isAnswered) {
      await desk.cancel(id, { reason: "askbox setup only tried whether a question arrives." });
      if (!(await result).cancelled) throw new AskboxError("INTERNAL", "The agent wasn't told that the question was withdrawn.");
      return { kind: "arrived" };
    }
    await context.terminalInbox?.({ once: true, session: id, codeOnInterrupt: exitCodes.cancelled });
    const { status, scheduled } = await desk.get(id);
    if (status === "pending" && scheduled === undefined) {
      await desk.cancel(id, { reason: "askbox setup was left." });
      return { kind: "left" };
    }
    return returned(await result);
  } finally {
    watch?.close();
    await agent.close();
  }
}

function returned(result: AskResult): Asked {
  const [answer] = result.answers;
  return { kind: "returned", result, value: answer?.values[0] ?? answer?.customText };
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));

function notAsked(): never {
  throw new AskboxError("INTERNAL", "The question was settled before it was in the inbox.");
}

/** Resolves with undefined on the signal; throws when a question should have arrived. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.timeout(arrivalLimit);
    limit.addEventListener("abort", () =>
      reject(new AskboxError("INTERNAL", `The question wasn't in the inbox after ${arrivalLimit / 1_000} seconds.`)),
    );
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    if (signal.aborted) resolve(undefined);
  });
}

/** How the first question went; undefined if no client has an entry that starts a server. */
export type Tried = { title: string; client: ClientName; command: readonly string[] } & (
  | { kind: "asked"; asked: Asked }
  | { kind: "failed"; error: AskboxError }
);

/**
 * Asks a first question through a client that was just set up, or one that already was. Starts the hub. On a machine that has joined another's
 * hub, only if somebody is there to answer it.
 */
export async function tryOne(
  context: CommandContext,
  candidates: readonly Candidate[],
  installed: readonly Installed[],
  options: { isAnswered: boolean; signal: AbortSignal },
): Promise<Tried | undefined> {
  const ready = candidates.filter(({ state }) => state === "ready");
  const entry = firstEntry(context, [...installed.filter(({ state }) => state === "installed"), ...ready]);
  const isElsewhere = (await context.asksElsewhere()) !== undefined;
  if (entry === undefined || (isElsewhere && !options.isAnswered)) return undefined;
  const { client, title, launch } = entry;
  const told = { client, title, command: launch.command };
  try {
    return { ...told, kind: "asked", asked: await askFirst(context, isElsewhere ? undefined : await context.desk(), entry, options) };
  } catch (thrown) {
    // Ctrl-C in a terminal also ends the server.
    if (options.signal.aborted) return { ...told, kind: "asked", asked: { kind: "left" } };
    return { ...told, kind: "failed", error: toAskboxError(thrown) };
  }
}
