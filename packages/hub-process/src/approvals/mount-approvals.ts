import { rmSync } from "node:fs";
import { isAbsolute } from "node:path";
import {
  type ApprovalAsk,
  type ApprovalOver,
  type ApprovalSource,
  type Approvals,
  createApprovals,
  type DecidedThere,
  type Denials,
  type DeniedCall,
  type FormAsk,
} from "@askbox/approvals";
import { AskboxError, limits as askLimits, isAskboxError, type Log, toAskboxError } from "@askbox/core";
import { ranParts } from "@askbox/core/grants";
import { writePrivateFile } from "@askbox/home";
import type { Access, MountContext, MountService } from "@askbox/hub";
import { isLoopback } from "../settings.ts";
import { exactBody, plainBody, readText, wholeMembers } from "./read-body.ts";

export interface MountApprovalsOptions {
  sources: readonly ApprovalSource[];
  denials: Pick<Denials, "denied" | "decided" | "mayLetThrough" | "through" | "over">;
  /** How long a client that was denied a call is held until a person has decided, in ms. */
  hold: number;
  /** Whether a person has an inbox open. */
  isWatched(): boolean;
  /** The one name of a folder of this machine; absent if hubs share the inbox, and agents are on other machines. */
  folder?: ((path: string) => Promise<string>) | undefined;
  log: Log;
}

/**
 * Where clients' hooks ask for approval, and pass on the forms of MCP servers. A response without a body means that nobody decided, so
 * the client's own prompt, form or rule does. That is the response for everything but a person's answer: an error, a timeout, an obsolete
 * ask, a closing hub.
 */
export function mountApprovals({ sources, denials, hold, isWatched, folder, log }: MountApprovalsOptions): MountService {
  return (context) => {
    const { broker, platform, basePath, limits, closing } = context;
    const sourceAt = new Map(sources.map((source) => [source.path, source]));
    const approvals = createApprovals({
      platform,
      isWatched,
      denials,
      onUnreported: (session) =>
        log("warn", "An allowed action was not reported to have run with the arguments that were shown", { session }),
      onOverruled: (session, report) =>
        void broker
          .report(session, report)
          .catch((error: unknown) => log("error", "What a client did could not be recorded", { session, error: String(error) })),
    });
    const note = ranCalls(context, log);
    /** Lists the report of a call that is too large to be read whole, such as for what its tool returned. */
    const noteCut = async (source: ApprovalSource, access: Access, text: string, request: Request) => {
      const { whole, rest } = wholeMembers(text);
      const isComplete = Object.hasOwn(Object(whole), "tool_input");
      const sent = isComplete ? whole : { ...Object(whole), tool_input: wholeMembers(rest.slice(rest.indexOf("{"))).whole };
      const event = source.read(await withFolder(sent, request, access.machine === undefined ? folder : undefined), request.headers);
      if (event?.kind !== "over" || event.ran === undefined) return;
      // Without all arguments, it can't be told which call it was.
      if (isComplete) note(access, source.client, event, approvals.over({ owner: access.owner, source }, event));
      else note(access, source.client, event, false, rest);
    };
    return {
      paths: [...sourceAt.keys()],
      async fetch(request) {
        if (request.method !== "POST") throw new AskboxError("VALIDATION", "Send a hook's event with POST.");
        const access = await context.authorize(request, "asker");
        const source = sourceAt.get(new URL(request.url).pathname.slice(basePath.length));
        const { text, isWhole } = await readText(request, limits.requestBytes);
        const plain = isWhole ? plainBody(text) : undefined;
        // Before every call of its tools, a client waits for this: exact parsing takes many times as long.
        const calls = plain == null ? undefined : source?.calls?.(plain);
        if (source !== undefined && calls !== undefined && !denials.mayLetThrough(access.owner, source.client, calls)) return undecided();
        if (source !== undefined && !isWhole) await noteCut(source, access, text, request);
        const body = exactBody(text, plain);
        if (body === undefined) log("info", "A request is too large to show completely; its client decides");
        if (body === null) log("warn", "A client's event could not be read, since it is not JSON or uses a name twice; its client decides");
        const event =
          body === undefined
            ? undefined
            : source?.read(await withFolder(body, request, access.machine === undefined ? folder : undefined), request.headers);
        if (source === undefined || event === undefined) return undecided();
        const signal = AbortSignal.any([request.signal, closing]);
        switch (event.kind) {
          case "over":
            note(access, source.client, event, approvals.over({ owner: access.owner, source }, event));
            return undecided();
          case "call": {
            const through = await approvals.through({ owner: access.owner, source }, event);
            return through === undefined ? undecided() : Response.json(through);
          }
          case "follows":
            await approvals.follow(access.owner, event, signal);
            return undecided();
          case "ask":
          case "form":
          case "denied":
            return decide({ context, approvals, log, source, access, request, signal, hold }, { ...event, repository: repositoryOf(body) });
        }
      },
      close: async () => approvals.close(),
    };
  };
}

/**
 * With its folder by the name that grants and filters compare, since a client may send a link to it. Only a client of this machine: on
 * another one, the same path may lead elsewhere. askbox's own relay has asked its machine already.
 */
async function withFolder(body: unknown, { url }: Request, folder: MountApprovalsOptions["folder"]): Promise<unknown> {
  const { cwd, askbox: relayed } = Object(body) as { cwd?: unknown; askbox?: unknown };
  const isHere = relayed === undefined && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
  return folder !== undefined && isHere && typeof cwd === "string" && isAbsolute(cwd) ? { ...Object(body), cwd: await folder(cwd) } : body;
}

/** More calls than can be reported twice at a time, by two hooks for the same. */
const maxSeen = 1_000;

/** Reports of one owner that are listed. */
const mostInAMinute = 600;

/** Lists what a client reports to have run, unless a person or a grant was asked about it. Nobody waits for that. */
function ranCalls({ broker, platform: { clock } }: MountContext, log: Log) {
  const seen = new Set<string>();
  /** What each owner has reported in this minute: one that reports more would push out what others did. */
  let [minute, counts] = [0, new Map<string, number>()];
  const mayList = (owner: string) => {
    const now = Math.floor(clock.now() / 60_000);
    if (now !== minute) [minute, counts] = [now, new Map()];
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return count <= mostInAMinute;
  };
  return (
    { owner, machine }: Access,
    client: string,
    { conversation, agentId, ran }: ApprovalOver,
    isKnown: boolean,
    rest?: string,
  ): void => {
    if (ran === undefined) return;
    const { id, action, cwd: project, by, failed } = ran;
    const key = JSON.stringify([owner, conversation, id ?? ""]);
    if (id !== undefined && seen.has(key)) return;
    const [oldest] = seen.add(key);
    if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest);
    if (isKnown || !mayList(owner)) return;
    const row = {
      at: clock.now(),
      by,
      client,
      project,
      machine,
      conversation,
      agentId,
      ...ranParts(rest === undefined ? action : { ...action, text: rest }),
      ...(failed && ({ failed } as const)),
    };
    broker.ran.add([row]).catch((error: unknown) => log("warn", "What ran without a person could not be kept", { error: String(error) }));
  };
}

/** What askbox's relay says of the project's repository. */
function repositoryOf(body: unknown): string | undefined {
  const { repository } = Object((Object(body) as { askbox?: unknown }).askbox) as { repository?: unknown };
  return typeof repository === "string" && repository.length <= askLimits.asker.repository ? repository : undefined;
}

const undecided = () => new Response(null, { status: 204 });

/** A request that goes on at the next hub is told that it is this one that ends. Throws `HUB_CLOSING`. */
function undecidedBy({ closing }: MountContext, ask: ApprovalAsk | FormAsk | DeniedCall): Response {
  if (closing.aborted && "requestId" in ask && ask.requestId !== undefined)
    throw new AskboxError("HUB_CLOSING", "The hub is closing; ask again for the same.");
  return undecided();
}

interface Deciding {
  context: MountContext;
  approvals: Approvals;
  log: Log;
  source: ApprovalSource;
  access: Access;
  request: Request;
  signal: AbortSignal;
  hold: number;
}

async function decide(
  { context, approvals, log, source, access, request, signal, hold }: Deciding,
  ask: ApprovalAsk | FormAsk | DeniedCall,
): Promise<Response> {
  const asker = context.asker(access);
  let delivery: Promise<unknown> = Promise.resolve();
  try {
    const { closing, broker } = context;
    const decideThere = (sessionId: string, decided: DecidedThere) => decideAtClient(broker, sessionId, decided);
    const caller = { owner: access.owner, asker, source, signal, closing, decideThere };
    const card = () => context.asker(access);
    const settled = ask.kind === "denied" ? await approvals.denied({ ...caller, card }, ask, hold) : await approvals.ask(caller, ask);
    if (settled === undefined) return undecidedBy(context, ask);
    const response = Response.json(settled.reply);
    // Neither waits for the other: a decision whose delivery can't be recorded is a decision all the same.
    delivery = context
      .delivered(request)
      .then((isWhole) => (isWhole ? settled.ack() : undefined))
      .catch((error: unknown) => log("warn", "The delivery of a decision could not be recorded", { error: String(error) }));
    return response;
  } catch (error) {
    // A request that cannot be asked is left to the client, like one that nobody answers.
    const isOver = isAskboxError(error, "ABORTED");
    log(isOver ? "debug" : "warn", "A request was left to its client", { error: String(error) });
    const told = isOver ? undefined : source.refused?.(toAskboxError(error));
    return told === undefined ? undecidedBy(context, ask) : Response.json(told);
  } finally {
    void delivery.then(() => asker.close());
  }
}

/** Records what a person decided in the client's own prompt, as any surface's decision. The client can't grant anything for later. */
async function decideAtClient(
  broker: Pick<MountContext["broker"], "desk">,
  sessionId: string,
  { by, value, comment }: DecidedThere,
): Promise<void> {
  const desk = broker.desk({ surface: "client", name: by });
  try {
    if (value === undefined) return void (await desk.cancel(sessionId));
    const { questions } = await desk.get(sessionId);
    await desk.answer(sessionId, { answers: questions.map(({ id }) => ({ questionId: id, values: [value] })), comment });
  } finally {
    desk.close();
  }
}

/** Says by a file that a denied call may be let through, so that a hook that runs before every call starts a program only then. */
export function markOverruled(path: string, isAny: boolean): void {
  if (isAny) writePrivateFile(path, "");
  else rmSync(path, { force: true });
}
