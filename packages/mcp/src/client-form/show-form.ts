import { type AskRequest, type Handover, isAskboxError, type SessionRecord, toAskboxError } from "@askbox/core";
import { type ElicitRequestFormParams, type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Call, NamedAsker } from "../calls/call.ts";
import { formOfQuestions, type QuestionsForm } from "../forms/form-of-questions.ts";
import { formKey } from "./form-channel.ts";

/** How often a form is shown whose answers do not fit, so that a client that fills in by itself does not do so for ever. */
const maxShowings = 3;

/**
 * Puts an open session into the client's own form too, until `over`, where the client shows forms while a call lasts and its person's answers from there
 * count. Only what is accepted and valid settles the session; `decline` and `cancel` come from clients without a person as well, and close nothing. Never
 * fails: the inbox has the questions.
 */
export function showForm(call: Call, asker: NamedAsker, { id, request }: SessionRecord, over: AbortSignal): void {
  const { form: channel } = call;
  if (channel?.kind !== "request") return;
  const { title, questions } = request;
  const put = formOfQuestions(questions, { title, lists: channel.lists });
  if (put === undefined) return;
  const signal = AbortSignal.any([call.signal, over]);
  const showing = async () => {
    if (!(await isAllowed(call, asker))) return;
    let hint: string | undefined;
    for (let times = 0; times < maxShowings && !signal.aborted; times += 1) {
      const { message, ...params } = paramsOf(put);
      const response = await channel.show(
        { mode: "form", message: hint === undefined ? message : `${hint}\n\n${message}`, ...params },
        signal,
      );
      hint = await settle(call, asker, id, put, response);
      if (hint === undefined) return;
    }
  };
  showing().catch((error: unknown) => {
    if (!signal.aborted) call.server.log("warn", "The client did not show its form", { sessionId: id, error: String(error) });
  });
}

/** The form that the call ends with, where forms are part of results. */
export async function formResult(
  call: Call,
  asker: NamedAsker,
  { id, state, request }: SessionRecord,
): Promise<InputRequiredResult | undefined> {
  const { form: channel } = call;
  if (channel?.kind !== "result" || state !== "pending") return undefined;
  const put = formOfQuestions(request.questions, { title: request.title, lists: channel.lists });
  if (put === undefined || !(await isAllowed(call, asker))) return undefined;
  leaveTicket(asker, id);
  return inputRequired({ inputRequests: { [formKey(id)]: inputRequired.elicit(paramsOf(put)) } });
}

/**
 * The session whose form this call brings, with what was filled in given as its answer; undefined if the call brings none, or one to other questions, so that
 * it is asked again.
 */
export async function takeFilledForm(call: Call, asker: NamedAsker, request: AskRequest): Promise<Handover | undefined> {
  const { form: channel } = call;
  if (channel?.kind !== "result" || channel.filled === undefined) return undefined;
  const { id: sessionId, response } = channel.filled;
  const handover = await find(call, asker, sessionId);
  if (handover === undefined || !isSame(handover.session.request, request)) return undefined;
  const { session } = handover;
  const put = formOfQuestions(session.request.questions, { title: session.request.title, lists: channel.lists });
  if (session.state === "pending" && put !== undefined) await settle(call, asker, sessionId, put, response);
  return handover;
}

/** Gives what was filled in to the hub. A sentence when it does not fit and may be given again. */
async function settle(
  call: Call,
  { port, info }: NamedAsker,
  sessionId: string,
  put: QuestionsForm,
  response: unknown,
): Promise<string | undefined> {
  const { log } = call.server;
  const { action, content } = Object(response) as Record<string, unknown>;
  const data = { sessionId, callId: call.id };
  if (action !== "accept") {
    log("debug", "The client's form was dismissed, perhaps by itself; the questions stay open", { ...data, action: String(action) });
    call.heartbeat.say("The form was dismissed; the questions stay open in the askbox inbox.");
    return undefined;
  }
  try {
    await port.forms?.answered(sessionId, put.answers(content), { asker: info });
    return undefined;
  } catch (error) {
    // Whoever answered first has won, and the wait has that answer.
    if (isAskboxError(error, "SESSION_CLOSED") || isAskboxError(error, "CONFLICT")) return undefined;
    const { code, message } = toAskboxError(error);
    log(code === "INVALID_ANSWER" ? "info" : "warn", "The form's answer was not accepted; the questions stay open", { ...data, code });
    call.heartbeat.say("The form's answer was not accepted; the questions stay open in the askbox inbox.");
    return code === "INVALID_ANSWER" ? message : undefined;
  }
}

async function isAllowed(call: Call, { port }: NamedAsker): Promise<boolean> {
  const { log } = call.server;
  try {
    if ((await port.forms?.allowed()) === true) return true;
    log("warn", "The client's own form is not used: allow its answers with `askbox config set allowClientForms true` and restart the hub");
  } catch (error) {
    log("warn", "The client's own form is not used: the hub did not say whether its answers count", { error: String(error) });
  }
  return false;
}

async function find(call: Call, { port, info }: NamedAsker, sessionId: string): Promise<Handover | undefined> {
  try {
    return await port.resume(sessionId, { asker: info, maxWait: 0, earlier: false, signal: call.signal });
  } catch (error) {
    if (isAskboxError(error, "SESSION_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** The call ends here and comes again with the form: until then its asker counts as coming back, not as gone. */
function leaveTicket({ port, info }: NamedAsker, sessionId: string): void {
  port.resume(sessionId, { asker: info, maxWait: 0, earlier: false }).catch(() => {});
}

/** Whether both ask the same; ids that were made up on the way do not matter. */
function isSame(one: AskRequest, other: AskRequest): boolean {
  const texts = ({ title, questions }: AskRequest) => JSON.stringify([title, questions.map(({ id: _id, ...question }) => question)]);
  return texts(one) === texts(other);
}

function paramsOf({ message, form }: QuestionsForm): { message: string; requestedSchema: ElicitRequestFormParams["requestedSchema"] } {
  return { message, requestedSchema: form as ElicitRequestFormParams["requestedSchema"] };
}
