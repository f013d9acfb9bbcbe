import { AskboxError, type Opened, type OpenOptions } from "@askbox/core";
import { type ShownForm, showForm, takeFilledForm } from "../client-form/show-form.ts";
import type { Ask, DialectTraits } from "../dialects/dialect.ts";
import { type DialectName, dialectOf } from "../dialects/index.ts";
import { type Call, type NamedAsker, namedAsker, type Reply, timeLeft } from "./call.ts";
import { type AskProgress, failure, unknownAgent } from "./failure.ts";
import { otherOutcomes, reply } from "./reply.ts";
import { beginTask } from "./session-task.ts";
import { inTime, waitFor } from "./wait.ts";

/** A call of an asking tool: opens a session, and waits for its outcome for as long as the client allows. */
export async function ask(call: Call, tool: DialectName, args: unknown): Promise<Reply> {
  const { platform, defaultTimeout, timeout } = call.server;
  const { traits, speech: load } = dialectOf(tool);
  const speech = await load();
  const progress: AskProgress = {};
  let form: ShownForm | undefined;
  let makeWay: (() => void) | undefined;
  try {
    const understood = speech.read(args, { ids: platform.ids, defaultTimeout: timeout ?? defaultTimeout, timeout });
    const { inTurn } = traits;
    if (inTurn) makeWay = await ownTurn(call, understood);
    const { request } = understood;
    const asker = nameOf(await namedAsker(call), understood, tool, traits);
    progress.isUnderWay = true;
    const opened = await open(call, asker, request, { asker: asker.info, ...(inTurn && { registeredOnly: true }) });
    const { id: sessionId } = opened.session;
    progress.sessionId = sessionId;
    sayWhereToAnswer(call, sessionId);
    form = await showForm(call, asker, opened);
    if (form.result !== undefined) return { result: form.result };
    // Those behind it wait for a call, and not for a task that outlives it.
    const begun = call.takesTasks && !inTurn && !opened.late ? await beginTask(call, asker, opened.session) : undefined;
    if (begun?.task !== undefined) return begun.task;
    const session = opened.late ? opened.session : (begun?.settled ?? (await waitFor(call, asker, sessionId, timeLeft(call))));
    const earlier = await otherOutcomes(call, asker, sessionId);
    return reply(call, asker, { sessionId, session, request, late: opened.late, earlier }, speech.write);
  } catch (error) {
    return unknownAgent(error) ?? failure(call, error, { ...progress, refuse: speech.refuse });
  } finally {
    makeWay?.();
    form?.close();
  }
}

/** Throws `HUB_UNREACHABLE` when the hub does not say in time that it has the questions. */
async function open(call: Call, asker: NamedAsker, request: Ask["request"], options: OpenOptions): Promise<Opened> {
  const { port } = asker;
  const opening = takeFilledForm(call, asker, request).then((filled) => filled ?? port.open(request, options));
  const opened = await inTime(call, opening);
  if (opened !== undefined) return opened;
  // If it has them after all, nobody waits for them here, and the same ask joins them.
  opening.then(
    ({ session }) => port.wait(session.id, { signal: AbortSignal.abort() }).catch(() => {}),
    () => {},
  );
  throw new AskboxError("HUB_UNREACHABLE", "The hub did not say in time that it has the questions; see `askbox hub status`.");
}

/** Waits behind earlier calls of the same agent. Throws `CONFLICT` when this call has to be back before. */
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
    `An earlier question of agent ${agentId.slice(0, 200)} is still open, and this one waits behind it: get that one's answer with get_answer, then ask this again.`,
  );

function nameOf({ port, info }: NamedAsker, { agentId }: Ask, tool: DialectName, { format, inlineReply }: DialectTraits): NamedAsker {
  const named = { ...(agentId !== undefined && { agentId }), ...(format === "text" && { tool }), ...(inlineReply && { inlineReply }) };
  return { port, info: { ...info, ...named } };
}

function sayWhereToAnswer(call: Call, sessionId: string): void {
  call.heartbeat.say(`Waiting for an answer. To give it, run: askbox answer ${sessionId.slice(0, 8)}`);
  call.server.log("info", "Waiting for an answer; askbox list shows it, askbox answer settles it", { sessionId, callId: call.id });
}
