import { AskboxError, type AskOptions, type AskRequest, type Handover } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type { Ask, DialectTraits } from "../dialects/dialect.ts";
import { type DialectName, dialectOf } from "../dialects/index.ts";
import { type Call, type NamedAsker, namedAsker, type Reply, timeLeft } from "./call.ts";
import { resumeAndReply } from "./get-answer.ts";
import { type AskProgress, failure, reply, unknownAgent } from "./reply.ts";
import { beginTask } from "./session-task.ts";
import { formResult, showForm, takeFilledForm } from "./show-form.ts";
import { held } from "./wait.ts";

/** A call of an asking tool: asks the questions, and waits for their outcome as long as the client allows. */
export async function ask(call: Call, tool: DialectName, args: unknown): Promise<Reply> {
  const { platform, defaultTimeout, timeout } = call.server;
  const { traits, codec: load } = dialectOf(tool);
  const codec = await load();
  const progress: AskProgress = {};
  const over = new AbortController();
  let endTurn: (() => void) | undefined;
  try {
    const understood = codec.read(args, { ids: platform.ids, defaultTimeout: timeout ?? defaultTimeout, timeout });
    const { inTurn } = traits;
    if (inTurn) endTurn = await ownTurn(call, understood);
    if (understood.reply !== undefined) {
      const { sessionId, text } = understood.reply;
      progress.sessionId = sessionId;
      const replying = nameOf(await namedAsker(call), understood, tool, traits);
      return await resumeAndReply(call, replying, { sessionId, reply: text }, codec);
    }
    const { replaces } = understood;
    const asker = nameOf(await namedAsker(call, understood.request.timeout), understood, tool, traits);
    const sending = { signal: call.signal, identity: asker.info };
    const request = (await call.server.files?.send?.(understood.request, sending)) ?? understood.request;
    progress.isUnderWay = true;
    const options: AskOptions = {
      asker: asker.info,
      registeredOnly: inTurn,
      replaces,
      onOpened({ session }) {
        progress.sessionId = session.id;
        sayWhereToAnswer(call, session.id);
        showForm(call, asker, session, over.signal);
      },
    };
    // Later calls wait for this call, not for a task that outlives it.
    const sooner = await endSooner(call, asker, request, { options, takesTask: call.takesTasks && !inTurn });
    if (sooner.reply !== undefined) return sooner.reply;
    const { handover = await putOrGoOn(call, asker, request, { options, sessionId: sooner.sessionId, progress }) } = sooner;
    const sessionId = handover?.session.id ?? progress.sessionId;
    return reply(
      call,
      asker,
      { sessionId, session: handover?.session, request, late: handover?.late ?? false, collected: handover },
      codec,
    );
  } catch (error) {
    return unknownAgent(error) ?? failure(call, error, { ...progress, refuse: codec.refuse });
  } finally {
    endTurn?.();
    over.abort("over");
  }
}

interface Sooner {
  /** The call returns this: a task, or a form that the client returns filled in. */
  reply?: Reply;
  /** The session already has its outcome. */
  handover?: Handover;
  /** The session is open, and the call must wait for it. */
  sessionId?: string;
}

/** The result of a call that need not wait for its answer; empty if it must wait, as usual. */
async function endSooner(
  call: Call,
  asker: NamedAsker,
  request: AskRequest,
  { options, takesTask }: { options: AskOptions; takesTask: boolean },
): Promise<Sooner> {
  const filled = await takeFilledForm(call, asker, request);
  const endsWithForm = call.form?.kind === "result" && call.form.filled === undefined;
  if (filled === undefined && !endsWithForm && !takesTask) return {};
  const look = { ...asker, sessionId: () => undefined };
  const handover =
    filled ?? (await held(call, look, (wait) => asker.port.ask(request, { ...options, signal: wait.signal, maxWait: 0, earlier: false })));
  if (handover === undefined) return {};
  const { session, late } = handover;
  if (late) return { handover };
  const result = filled === undefined ? await formResult(call, asker, session) : undefined;
  if (result !== undefined) return { reply: { result } };
  const task = takesTask ? await beginTask(call, asker, session.id) : undefined;
  return task === undefined ? { sessionId: session.id } : { reply: task };
}

async function putOrGoOn(
  call: Call,
  { port, info }: NamedAsker,
  request: AskRequest,
  { options, sessionId, progress }: { options: AskOptions; sessionId: string | undefined; progress: AskProgress },
): Promise<Handover | undefined> {
  if (sessionId !== undefined) progress.sessionId = sessionId;
  return held(call, { port, info, sessionId: () => progress.sessionId }, (wait, opened) => {
    if (sessionId !== undefined) return port.resume(sessionId, { ...wait, asker: info });
    const onOpened: AskOptions["onOpened"] = (one) => {
      options.onOpened?.(one);
      opened();
    };
    // A call without time left gets a ticket like any other; with 0 its asker would count as about to wait.
    const maxWait = wait.maxWait === undefined ? undefined : Math.max(1, wait.maxWait);
    return port.ask(request, { ...options, ...wait, maxWait, onOpened });
  });
}

/** Waits for earlier calls of the same agent. Throws `CONFLICT` if this call must return before that. */
async function ownTurn(call: Call, { agentId }: Ask): Promise<(() => void) | undefined> {
  if (agentId === undefined) return undefined;
  const { clock } = call.server.platform;
  const late = new AbortController();
  const left = timeLeft(call);
  const cancel = left === undefined ? () => {} : clock.setTimer(left, () => late.abort(stillWaiting(agentId)));
  try {
    return await call.server.turns.take(agentId, AbortSignal.any([call.signal, late.signal]));
  } finally {
    cancel();
  }
}

const stillWaiting = (agentId: string) =>
  new AskboxError(
    "CONFLICT",
    `An earlier question of agent ${cut(agentId, 200, "")} is still open, and this one waits behind it: get that one's answer with get_answer, then ask this again.`,
  );

function nameOf(
  { port, info }: NamedAsker,
  { agentId, project }: Ask,
  tool: DialectName,
  { format, inlineReply }: DialectTraits,
): NamedAsker {
  const own = project !== undefined && info.project === undefined && { project };
  const named = {
    ...own,
    ...(agentId !== undefined && { agentId }),
    ...(format === "text" && { tool }),
    ...(inlineReply && { inlineReply }),
  };
  return { port, info: { ...info, ...named } };
}

function sayWhereToAnswer(call: Call, sessionId: string): void {
  call.heartbeat.say(`Waiting for an answer. To give it, run: askbox answer ${sessionId.slice(0, 8)}`);
  call.server.log("info", "Waiting for an answer; askbox list shows it, askbox answer settles it", { sessionId, callId: call.id });
}
