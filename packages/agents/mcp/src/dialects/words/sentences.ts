import type { AskRequest, AskResult, EarlierResult, Question } from "@askbox/core";
import { messageText } from "@askbox/core/questions";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** What to call after a ticket, in one sentence. A client may allow the asking tool alone. */
const nextAfterTicket = (sessionId: string): string =>
  `Nothing is answered yet: call get_answer with sessionId ${sessionId} to keep waiting, or without that tool ask exactly the same again.`;

/** What to call after a person asked something back, in one sentence. */
const nextAfterAskedBack = (sessionId: string): string =>
  `Nothing is answered yet: reply to askedBack with get_answer, sessionId ${sessionId} and your reply, or ask better questions with replaces ${sessionId}.`;

/** A ticket as a sentence: the question is open, and how to keep waiting. */
export function ticketSentence({ sessionId }: AskResult): string {
  return `Pending: the person has not answered yet, and this is not an answer. The question stays open under sessionId ${sessionId}: call get_answer with it to keep waiting, or without that tool ask exactly the same again.`;
}

const replyWith = (sessionId: string): string =>
  `Reply by calling get_answer with sessionId ${sessionId} and your reply (markdown); it keeps waiting for the answer.`;

/** How to continue after a person asked something back, where replies go through `get_answer`. */
export const replyByGetAnswer = (sessionId: string): string =>
  `${replyWith(sessionId)} Without that tool, ask again, with what they want to know in the question.`;

/** A sentence that a person asks something back, for results whose fields contain the words. */
function askedBackSentence({ sessionId = "" }: AskResult): string {
  return `Asked back: the person wants to know something before they answer, and this is not an answer. ${replyWith(sessionId)} Or replace these with better questions: ask with replaces ${sessionId}.`;
}

/** What a person asks back, with their words and how to continue. */
export function askedBackInWords(result: AskResult, request: AskRequest | undefined, howToReply: (sessionId: string) => string): string {
  const head = "Asked back: the person wants to know something before they answer, and this is not an answer.";
  return [head, messagesOf(result, request?.questions ?? []), howToReply(result.sessionId ?? "")].join("\n\n");
}

function messagesOf({ askedBack = [] }: Pick<AskResult, "askedBack">, questions: readonly Pick<Question, "id" | "question">[]): string {
  const about = (questionId: string | undefined) => (questions.length > 1 ? questions.find(({ id }) => id === questionId) : undefined);
  return askedBack
    .map((message) => {
      const question = about(message.questionId);
      const text = messageText(message);
      return question === undefined ? text : `About "${question.question}":\n${text}`;
    })
    .join("\n\n");
}

export function timeoutSentence({ sessionId, seen }: AskResult, request: AskRequest | undefined): string {
  const within = request === undefined ? "in time" : `within ${timeInWords(request.timeout)}`;
  const who = seen === true ? "somebody had it open" : "nobody had it open";
  return `Failed: timed out. The person did not answer ${within}; ${who} (status: timed_out, sessionId: ${sessionId}). Silence is not a decision: do not proceed as if the person had agreed.`;
}

/** A text that ends like a sentence, so that another can follow it. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

export function declinedSentence({ reason }: AskResult): string {
  const why = reason === undefined ? "No reason was given." : `Reason: ${sentence(reason)}`;
  return `Failed: the person declined the question. ${why} Do not proceed as if they had agreed.`;
}

/** For a result that is no answer: what it is, and what to do. */
export function openOrNot(result: AskResult, request: AskRequest | undefined): string | undefined {
  if (result.pending && result.askedBack) return askedBackInWords(result, request, replyByGetAnswer);
  if (result.pending) return ticketSentence(result);
  if (result.timedOut) return timeoutSentence(result, request);
  return result.cancelled ? declinedSentence(result) : undefined;
}

/** How a dialect words earlier outcomes. */
interface PastWords {
  answersOf(earlier: EarlierResult): string;
  howToReply(sessionId: string): string;
}

/**
 * What is added to a result: a note on where it came from, messages from just before it was settled, and earlier outcomes. Undefined if
 * there are none.
 */
export function besides(result: AskResult, words: PastWords): string | undefined {
  const { late, pending, askedBack, earlier = [] } = result;
  const remark = late === true ? "This was answered after an earlier call of yours with the same question had ended." : undefined;
  const asked =
    askedBack === undefined || pending ? undefined : `When this was settled, somebody had just asked you:\n\n${messagesOf(result, [])}`;
  const written = [result, ...earlier].flatMap(({ messages = [] }) => messages.map(({ text }) => text));
  const past = earlier.filter(({ received }) => !received).map((one) => `${headlineOf(one)}\n${pastOutcome(one, words)}`);
  const parts = [
    remark,
    asked,
    ...(written.length === 0 ? [] : ["The person writes to you, without having been asked:", ...written]),
    ...(past.length === 0 ? [] : ["Outcomes of your earlier questions that you have not received yet:", ...past]),
  ];
  return parts.filter((part) => part !== undefined).join("\n\n") || undefined;
}

/** The questions of an earlier result as far as it contains them; its labels are its values. */
export const earlierQuestions = ({ questions }: EarlierResult): Question[] =>
  questions.map(({ id, question }) => ({ id, question, type: "text", required: false }));

function headlineOf({ title, questions }: EarlierResult): string {
  return title ?? questions.map(({ question }) => question).join(" / ");
}

function pastOutcome(one: EarlierResult, { answersOf, howToReply }: PastWords): string {
  const messages = messagesOf(one, one.questions);
  if (one.pending) return `Not answered yet. The person asks you:\n\n${messages}\n\n${howToReply(one.sessionId ?? "")}`;
  return [settledOutcome(one, answersOf), ...(messages === "" ? [] : [`Somebody had just asked you:\n${messages}`])].join("\n");
}

function settledOutcome(one: EarlierResult, answersOf: PastWords["answersOf"]): string {
  if (one.next !== undefined) {
    const words = [...one.answers.flatMap(({ customText, note }) => [customText, note]), one.comment, one.reason].filter((text) => text);
    return words.length === 0 ? one.next : `${one.next} Their words: ${words.join("\n")}`;
  }
  const afterwards = one.repliedAfterTimeout ? "The question had timed out; the person replied afterwards:\n" : "";
  if (one.answered || one.repliedAfterTimeout) return `${afterwards}${answersOf(one)}`;
  if (one.cancelled) return one.reason === undefined ? "Declined by the person." : `Declined. Reason: ${one.reason}`;
  return "Timed out: nobody answered.";
}

function timeInWords(milliseconds: number): string {
  const [count, unit] = milliseconds % 60_000 === 0 ? [milliseconds / 60_000, "minute"] : [Math.round(milliseconds / 1_000), "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * A result object in both fields, complete in each, since clients drop one or the other. Whatever is pending says in `next` what to call, and
 * for models that read texts a sentence follows.
 */
export function inBothFields(result: AskResult): CallToolResult {
  const { earlier } = result;
  const told = { ...withNext(result), ...(earlier !== undefined && { earlier: earlier.map(withNext) }) };
  const sentence = result.askedBack === undefined ? ticketSentence : askedBackSentence;
  return { ...inWords(JSON.stringify(told), result.pending ? sentence(result) : undefined), structuredContent: told };
}

function withNext<Result extends AskResult | EarlierResult>(result: Result): Result & { next?: string } {
  const { pending, sessionId, askedBack } = result;
  if (!pending || sessionId === undefined) return result;
  return { ...result, next: (askedBack === undefined ? nextAfterTicket : nextAfterAskedBack)(sessionId) };
}

/** A text-only result; the first text is the answer itself. */
export function inWords(...texts: (string | undefined)[]): CallToolResult {
  return { content: texts.flatMap((text) => (text ? [{ type: "text" as const, text }] : [])) };
}

/** A failed result. The text says so as well, because not every model sees `isError`. */
export const failedInWords = (...texts: (string | undefined)[]): CallToolResult => ({ ...inWords(...texts), isError: true });

export const validationError = (sentence: string): CallToolResult => failedInWords(`Validation error: ${sentence}`);
