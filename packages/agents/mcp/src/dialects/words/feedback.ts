import { type Answer, AskboxError, type AskRequest, type AskResult, isAskboxError, limits, parseAsk } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ReadOptions } from "../dialect.ts";
import {
  askedBackInWords,
  besides,
  declinedSentence,
  failedInWords,
  inWords,
  replyByGetAnswer,
  ticketSentence,
  timeoutSentence,
} from "./sentences.ts";

/** The contracts without a time limit wait until their window is closed; this is the longest that a question may wait, in ms. */
export const untilClosed = limits.timeout.max;

/** One message for which a feedback tool wants a reply, with options where there are any. */
export interface FeedbackMessage {
  /** The contract's name of the field that holds the message. */
  field: string;
  text: string;
  /** Kept with the question, so that its result can be recognized. */
  id?: string | undefined;
  header?: string | undefined;
  options?: readonly string[] | undefined;
  /** Several options may be chosen. */
  many: boolean;
  /** Milliseconds; default: the server's. */
  timeout?: number | undefined;
}

/** The message as a question. An empty reply is allowed, as in these contracts. Throws `VALIDATION`. */
export function feedbackRequest({ field, text, many, ...rest }: FeedbackMessage, { ids, defaultTimeout }: ReadOptions): AskRequest {
  const { id, header, options = [], timeout } = rest;
  const choices = [...new Set(options.filter((option) => option.trim() !== ""))];
  const question = {
    id,
    ...(header?.trim() && { header: header.trim() }),
    ...(choices.length > 0 ? { type: many ? "multi-select" : "select", options: choices } : { type: "text" }),
    question: text,
    required: false,
  };
  try {
    return parseAsk({ questions: [question], timeout }, { ids, defaultTimeout, longQuestions: true });
  } catch (error) {
    if (!isAskboxError(error, "VALIDATION")) throw error;
    throw new AskboxError("VALIDATION", error.message.replace("questions[0].question", field).replace("questions[0] ", ""));
  }
}

/** How a feedback contract words its results. */
export interface FeedbackWords {
  /** The contract's text for what the person chose, and what they wrote; either may be empty. */
  reply(chosen: readonly string[], text: string): string;
  /** The contract's form of any other text; default: the text as is. */
  wrap?(text: string): string;
  /** What the contract says before our own sentence. */
  declined?: string;
  timed_out?: string;
}

/** A result in the contract's form. Whatever is no reply says so in it, and a declined or timed out question is an error as well. */
export function feedbackResult(words: FeedbackWords, result: AskResult, request: AskRequest | undefined): CallToolResult {
  const { reply, wrap = (text) => text, declined, timed_out } = words;
  const also = besides(result, {
    answersOf: (earlier) => chosenAndWritten(earlier, undefined)[1] || "An empty reply.",
    howToReply: replyByGetAnswer,
  });
  const say = (...sentences: (string | undefined)[]) => wrap(sentences.filter((sentence) => sentence !== undefined).join("\n\n"));
  if (result.pending && result.askedBack) return inWords(say(askedBackInWords(result, request, replyByGetAnswer)), also);
  if (result.pending) return inWords(say(ticketSentence(result)), also);
  if (result.timedOut) return failedInWords(say(timed_out, timeoutSentence(result, request)), also);
  if (result.cancelled) return failedInWords(say(declined, declinedSentence(result)), also);
  return inWords(result.answered ? reply(...chosenAndWritten(result, request)) : undefined, also);
}

/** What the person chose, and everything that they wrote. The value of a question without options is what they wrote. */
function chosenAndWritten(
  { answers, comment }: Pick<AskResult, "answers" | "comment">,
  request: AskRequest | undefined,
): [chosen: string[], text: string] {
  const isChoice = ({ questionId }: Answer) =>
    request?.questions.some((question) => question.id === questionId && "options" in question) ?? false;
  const written = answers.flatMap((answer) => [...(isChoice(answer) ? [] : answer.values), answer.customText, answer.note]);
  return [
    answers.flatMap((answer) => (isChoice(answer) ? answer.values : [])),
    [...written, comment].filter((text) => text !== undefined).join("\n\n"),
  ];
}

/** The fields of a call's arguments. */
export const fieldsOf = (args: unknown): Record<string, unknown> => Object(args) as Record<string, unknown>;

/** A text; undefined if it is omitted, for which models also send null or an empty string. Throws `VALIDATION` for any other type. */
export function textField(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw new AskboxError("VALIDATION", `${name} must be a string`);
  return value.trim() === "" ? undefined : value;
}

/** A text that is required. */
export function requiredField(fields: Record<string, unknown>, name: string): string {
  const text = textField(fields, name);
  if (text === undefined) throw new AskboxError("VALIDATION", `${name} is required`);
  return text;
}

/** A title of any length in a contract, as long as a set's title may be; undefined for none. */
export function asTitle(text: string | undefined): string | undefined {
  return cut(text ?? "", limits.titleLength.max) || undefined;
}

/** A list of texts, empty if it is omitted. */
export function textsField(fields: Record<string, unknown>, name: string): string[] {
  const value = fromJson(fields[name] ?? []);
  if (Array.isArray(value) && value.every((text) => typeof text === "string")) return value;
  throw new AskboxError("VALIDATION", `${name} must be an array of strings`);
}

/** The value of a JSON text, as some models send lists; anything else is returned unchanged. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
