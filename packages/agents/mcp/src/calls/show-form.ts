import { type AskRequest, type Handover, isAskboxError, type SessionRecord, toAskboxError } from "@askbox/core";
import { textOfAsk } from "@askbox/core/transport";
import { formOfQuestions, type QuestionsForm } from "@askbox/elicit/forms";
import { type ElicitRequestFormParams, type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Call, NamedAsker } from "./call.ts";
import { formKey } from "./form-channel.ts";

/** How often a form with invalid answers is shown, so that a client that fills it in automatically does not loop forever. */
const maxShowings = 3;

/**
 * Shows an open session in the client's own form too, until `over`, if the client shows forms during a call and its answers are accepted.
 * Only a valid `accept` settles the session; `decline` and `cancel` also come from clients without a person, and have no effect. Never
 * rejects, since the inbox has the questions.
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

/** The form that the call returns, if forms are part of results. */
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
 * The session of the form that this call returns, after submitting its content as the answer; undefined if the call returns none, or one
 * for other questions, which are then asked again.
 */
export async function takeFilledForm(call: Call, asker: NamedAsker, request: AskRequest): Promise<Handover | undefined> {
  const { form: channel } = call;
  if (channel?.kind !== "result" || channel.filled === undefined) return undefined;
  const { id: sessionId, response } = channel.filled;
  const handover = await find(call, asker, sessionId);
  if (handover === undefined || textOfAsk(handover.session.request) !== textOfAsk(request)) return undefined;
  const { session } = handover;
  const put = formOfQuestions(session.request.questions, { title: session.request.title, lists: channel.lists });
  if (session.state === "pending" && put !== undefined) await settle(call, asker, sessionId, put, response);
  return handover;
}

/** Submits the form's content to the hub. Returns a sentence if it is not valid and may be corrected. */
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
    log("debug", "The client's form was dismissed, perhaps automatically; the questions stay open", { ...data, action: String(action) });
    call.heartbeat.say("The form was dismissed; the questions stay open in the askbox inbox.");
    return undefined;
  }
  try {
    await port.forms?.answered(sessionId, put.answers(content), { asker: info });
    return undefined;
  } catch (error) {
    // If it was already answered, the wait returns that answer.
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

/** The call returns and the client calls again with the form: until then its asker counts as returning, not as gone. */
function leaveTicket({ port, info }: NamedAsker, sessionId: string): void {
  port.resume(sessionId, { asker: info, maxWait: 0, earlier: false }).catch(() => {});
}

function paramsOf({ message, form }: QuestionsForm): { message: string; requestedSchema: ElicitRequestFormParams["requestedSchema"] } {
  return { message, requestedSchema: form as ElicitRequestFormParams["requestedSchema"] };
}
