import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  type Asker,
  type AskResult,
  askedBack,
  type Desk,
  type Handover,
  isAskboxError,
  type ScheduledAnswer,
  type SessionView,
} from "@askbox/core";
import { downloadFile, uploadFile } from "@askbox/home";
import type { WireClient } from "@askbox/wire";
import { spend, until } from "../../support/until.ts";
import { type Agent, startAgent } from "../support/agent.ts";
import type { FaultHome } from "../support/home.ts";
import { killProcess } from "../support/processes.ts";
import { asker as named, oneQuestion } from "../support/questions.ts";
import type { Chance } from "../support/rounds.ts";
import { outcomeText, type Recorder } from "./recorder.ts";

/** What all actors share. */
export interface Scene {
  home: FaultHome;
  recorder: Recorder;
  /** Nobody starts anything new once this is aborted. */
  ended: AbortSignal;
  /** Sessions that people in this traffic do not answer. */
  isLeftAlone?(session: SessionView): boolean;
  /** Failures to reach the hub that are expected here; the actor retries. Default: the hub that this client had started was killed. */
  isExcused?(message: string): boolean;
}

const wasKilled = (message: string) => message.includes("SIGKILL");

/** Few enough to be asked repeatedly, so that asks join sessions and receive late answers. */
const questions = ["Which colour?", "Which name?", "Which port?"];
const sharedName = (agentId: string) => `faults/${agentId}`;
const agentName = (agentId: string) => `opencode/${agentId}`;

/** The name of a session's asker in the history. */
const askerOf = ({ asker }: Pick<SessionView, "asker">): string => `${asker.client.name}/${asker.agentId ?? ""}`;

/** A connection, or undefined if there is none for an expected reason. */
export async function arrive(
  { home, isExcused = wasKilled }: Scene,
  as: Parameters<FaultHome["connect"]>[0],
): Promise<WireClient | undefined> {
  try {
    return await home.connect({ ...as, start: true });
  } catch (error) {
    if (isAskboxError(error, "HUB_UNREACHABLE") && isExcused(error.message)) return undefined;
    throw error;
  }
}

/** An asker over the wire: connects for a few calls, sometimes aborts a call, and sometimes dies before it has the result. */
export async function wireAsker(scene: Scene, agentId: string, chance: Chance): Promise<void> {
  const { recorder, ended } = scene;
  while (!ended.aborted) {
    const client = await arrive(scene, { role: "asker" });
    if (client === undefined) continue;
    const calls = chance.between(1, 4);
    for (let index = 0; index < calls && !ended.aborted; index += 1) {
      const dies = chance.percent(10);
      const cutOff = chance.percent(20) ? AbortSignal.any([ended, AbortSignal.timeout(chance.between(1, 30))]) : ended;
      await wireCall(client.asker, recorder, agentId, chance.pick(questions), cutOff, dies);
      if (dies) break;
    }
    client.close();
  }
}

async function wireCall(port: Asker, recorder: Recorder, agentId: string, question: string, signal: AbortSignal, dies: boolean) {
  const asker = named(agentId);
  const call = recorder.call(sharedName(agentId));
  try {
    const asked = ({ session }: Pick<Handover, "session">) => recorder.record({ type: "asked", call, session: session.id });
    const handover = await port.ask(oneQuestion(question), { asker, signal, onOpened: asked });
    if (handover.late) asked(handover);
    if (dies) return;
    await take(recorder, call, handover);
    await reply(port, recorder, agentId, handover, signal);
  } catch (error) {
    if (!isAskboxError(error, "ABORTED")) throw error;
  }
}

/** Replies to messages, and continues to wait, until there is an answer. */
async function reply(port: Asker, recorder: Recorder, agentId: string, handover: Handover, signal: AbortSignal): Promise<void> {
  const { id, state, thread } = handover.session;
  if (state !== "pending" || thread.length === 0) return;
  const call = recorder.call(sharedName(agentId));
  const message = recorder.name("reply");
  recorder.record({ type: "wrote", message, session: id });
  try {
    const next = await port.resume(id, { asker: named(agentId), reply: message, signal });
    recorder.record({ type: "kept", message, to: "person" });
    await take(recorder, call, next);
    await reply(port, recorder, agentId, next, signal);
  } catch (error) {
    if (!isAskboxError(error, "TOO_MANY_ROUNDS")) throw error;
  }
}

/** Records that the call has these outcomes and messages, the first of them as its result, then acknowledges them to the hub. */
async function take(recorder: Recorder, call: string, { session, earlier, ack }: Pick<Handover, "earlier" | "ack"> & Partial<Handover>) {
  const sessions = [...(session === undefined ? [] : [session]), ...earlier];
  // With a message sent at the moment of the answer, an outcome that was delivered before appears once more.
  const settled = sessions.filter(({ state, delivery }) => state !== "pending" && delivery.deliveredAt === null);
  const messages = sessions.flatMap((each) => askedBack(each));
  for (const { id, context } of settled) {
    const as = id === session?.id ? "result" : "earlier";
    recorder.record({ type: "handed", call, session: id, outcome: outcomeText(context.outcome) ?? "nothing", as });
  }
  for (const each of sessions) recorder.given(call, each.id, askedBack(each));
  await ack({ callId: call });
  for (const { id } of settled) recorder.record({ type: "confirmed", session: id });
  for (const { text } of messages) recorder.record({ type: "read", message: text });
}

/** A coding agent over its stdio server; the server is killed from time to time, and calls are cancelled. */
export async function stdioAgent({ home, recorder, ended, isExcused = wasKilled }: Scene, agentId: string, chance: Chance): Promise<void> {
  const start = () => startAgent(home, { flags: ["--agent", agentId] });
  let agent: Agent = await start();
  while (!ended.aborted) {
    const call = recorder.call(agentName(agentId));
    const toolCall = agent.ask(chance.pick(questions));
    const lasts = chance.percent(30) ? spend(chance.between(1, 40)).then(() => "cut" as const) : undefined;
    const over = new Promise<"over">((resolve) => ended.addEventListener("abort", () => resolve("over"), { once: true }));
    const first = await Promise.race([toolCall.reply, over, ...(lasts === undefined ? [] : [lasts])]);
    if (typeof first === "object") {
      if (first.result !== undefined) {
        recorder.handedByResult(call, first.result);
        if (first.result.pending === true && chance.percent(50)) replyOverStdio(agent, recorder, agentId, first.result);
      }
      // The agent is told if its server could not reach a hub.
      else if (!isExcused(first.error ?? "")) throw new Error(`A call failed: ${first.error}`);
    } else if (chance.percent(50) && !ended.aborted) {
      agent.cancel(toolCall);
      // A result sent before the cancellation counts as received, since the client has read it.
      void toolCall.reply.then(({ result }) => result && recorder.handedByResult(call, result));
    } else {
      // Nothing more is read: output that nobody has read is not received by any agent.
      void toolCall.reply.then(({ result }) => result && recorder.handedByResult(call, result));
      killProcess(agent.pid);
      await agent.ended;
      if (!ended.aborted) agent = await start();
    }
  }
  agent.closeStdin();
  await agent.ended;
}

/** Replies with the tool, without waiting for the result, which is left to later calls. */
function replyOverStdio(agent: Agent, recorder: Recorder, agentId: string, { sessionId = "" }: AskResult): void {
  const call = recorder.call(agentName(agentId));
  const message = recorder.name("reply");
  recorder.record({ type: "wrote", message, session: sessionId });
  const toolCall = agent.call("get_answer", { sessionId, reply: message });
  void toolCall.reply.then(({ result }) => result && recorder.handedByResult(call, result));
}

/** A person at a surface: answers most pending sessions, and sometimes declines. */
export async function person(scene: Scene, name: string, chance: Chance): Promise<void> {
  const { recorder, ended } = scene;
  while (!ended.aborted) {
    const client = await arrive(scene, { role: "desk", name });
    if (client === undefined) continue;
    const { desk, close } = client;
    const visits = chance.between(1, 6);
    for (let visit = 0; visit < visits && !ended.aborted; visit += 1) {
      const { items } = await desk.list({ statuses: ["pending"], order: chance.pick(["newest", "oldest"] as const) });
      const session = items.find((each) => scene.isLeftAlone?.(each) !== true);
      if (session === undefined) {
        await spend(2);
        continue;
      }
      if (chance.percent(15)) {
        await askBack(scene, desk, { session: session.id, hasFile: chance.percent(40) });
        continue;
      }
      const attempt = recorder.name("attempt");
      const says = !chance.percent(10);
      const files = says && chance.percent(40) ? await attach(scene, session.id, attempt) : [];
      const isAboutAll = chance.percent(50);
      const answers = [{ questionId: "q", values: [attempt], ...(!isAboutAll && { files }) }];
      const set = { answers, ...(isAboutAll && { files }) };
      const by = { surface: "web" as const, name };
      const outcome = says ? { kind: "answered" as const, ...set, by, at: 0 } : { kind: "cancelled" as const, reason: attempt, by, at: 0 };
      recorder.record({ type: "sent", attempt, session: session.id, outcome: outcomeText(outcome) ?? "" });
      // An answer that can still be undone counts as well.
      const delay = chance.percent(40) ? chance.between(1, 60) : 0;
      try {
        await (says ? desk.answer(session.id, set, { delay }) : desk.cancel(session.id, { reason: attempt }));
        recorder.record({ type: "acknowledged", attempt });
      } catch (error) {
        const scheduled = isAskboxError(error, "CONFLICT") ? (error.details?.["scheduled"] as ScheduledAnswer | undefined) : undefined;
        if (scheduled !== undefined) {
          recorder.record({ type: "refused", attempt, standing: outcomeText({ kind: "answered", at: 0, ...scheduled }) ?? "nothing" });
          continue;
        }
        if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
        const standing = error.details?.["session"] as SessionView;
        recorder.record({ type: "refused", attempt, standing: outcomeText(standing.outcome) ?? "nothing" });
      }
    }
    close();
  }
}

/** Uploads a file with the attempt as its content; none if the session is settled meanwhile. */
async function attach(scene: Scene, session: string, attempt: string): Promise<Answer["files"]> {
  const { home, recorder } = scene;
  const [path, name] = [join(home.folder, attempt), `${attempt}.txt`];
  writeFileSync(path, attempt);
  try {
    // Again until it reaches a hub that isn't killed meanwhile.
    const stored = await until("the file is uploaded", async () => {
      try {
        return await uploadFile(await home.found("desk"), { sessionId: session, path, upload: `upload-${attempt}` });
      } catch (error) {
        if (!isAskboxError(error, "HUB_UNREACHABLE")) throw error;
        return undefined;
      }
    });
    recorder.record({ type: "uploaded", session, file: stored.sha256, content: attempt });
    return [{ name, ...stored }];
  } catch (error) {
    if (isAskboxError(error, "SESSION_CLOSED")) return [];
    throw error;
  }
}

/** Asks the agent something first; a message sent at the moment of an answer is kept, too. */
async function askBack(scene: Scene, desk: Desk, { session, hasFile }: { session: string; hasFile: boolean }): Promise<void> {
  const { recorder } = scene;
  const message = recorder.name("message");
  const files = hasFile ? await attach(scene, session, message) : [];
  recorder.record({ type: "wrote", message, session });
  try {
    await desk.askBack(session, { text: message, files });
    recorder.record({ type: "kept", message, to: "agent" });
  } catch (error) {
    if (isAskboxError(error, "TOO_MANY_ROUNDS")) return;
    if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
    if (error.message.includes("kept in its thread")) recorder.record({ type: "kept", message, to: "agent" });
  }
}

/** Undelivered outcomes are fetched by later calls of the same askers, like agents that come back. */
export async function comeBack(scene: Scene, wireAgents: readonly string[], stdioAgents: readonly string[]): Promise<void> {
  const { home, recorder } = scene;
  const { asker: port } = await home.connect({ role: "asker", start: true });
  for (const agentId of wireAgents) {
    const { earlier, ack } = await port.collect(named(agentId));
    if (earlier.length === 0) continue;
    await take(recorder, recorder.call(sharedName(agentId)), { earlier, ack });
  }
  for (const agentId of stdioAgents) {
    const agent = await startAgent(home, { flags: ["--agent", agentId] });
    const call = recorder.call(agentName(agentId));
    const { result } = await agent.call("get_answer", {}).reply;
    if (result !== undefined) recorder.handedByResult(call, result);
    agent.closeStdin();
    await agent.ended;
  }
}

/** Whether all outcomes and messages have reached their askers. */
export function hasArrived({ history }: Recorder, sessions: readonly SessionView[]): boolean {
  const handed = new Set(history.flatMap((event) => (event.type === "handed" ? [event.session] : [])));
  const given = new Set(history.flatMap((event) => (event.type === "given" ? [event.message] : [])));
  return (
    sessions.every(({ id, status, scheduled }) => (status === "pending" && scheduled === undefined) || handed.has(id)) &&
    history.every((event) => event.type !== "kept" || event.to === "person" || given.has(event.message))
  );
}

/** Records the final contents of the store, as the asker sees them. */
export async function recordStored({ home, recorder }: Scene, session: SessionView): Promise<void> {
  const { id, thread = [], outcome } = session;
  const named = [...(outcome?.kind === "answered" ? [outcome, ...outcome.answers] : []), ...thread].flatMap(({ files = [] }) => files);
  const open = async (sha256: string) => {
    try {
      return (await downloadFile(await home.found("asker"), { sessionId: id, sha256 })).bytes.toString();
    } catch (error) {
      if (isAskboxError(error, "SESSION_NOT_FOUND")) return null;
      throw error;
    }
  };
  const files = await Promise.all(named.map(async ({ sha256: file }) => ({ file, content: await open(file) })));
  const texts = thread.map(({ text }) => text);
  recorder.record({ type: "stored", session: id, asker: askerOf(session), outcome: outcomeText(outcome), thread: texts, files });
}
