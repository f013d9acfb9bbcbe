import { type Answer, AskboxError, type AskResult, isAskboxError, parseAsk, type Question } from "@askbox/core";
import { isSkipped } from "@askbox/core/questions";
import { issueClause, issuePath } from "@askbox/core/schemas";
import * as z from "zod";
import type { DialectCodec } from "../dialect.ts";
import { fromJson } from "../words/feedback.ts";
import {
  askedBackInWords,
  besides,
  earlierQuestions,
  failedInWords,
  inWords,
  replyByGetAnswer,
  ticketSentence,
  timeoutSentence,
  validationError,
} from "../words/sentences.ts";

const noQuestions = "At least one question is required";

/** Null means omitted, as models use it. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => value ?? undefined, schema.optional());

const questionSchema = z.object({
  prompt: z.string().min(1),
  title: z.string().min(1),
  options: z
    .array(z.object({ label: z.string().min(1), description: orNothing(z.string()) }))
    .min(2)
    .max(4),
  multiSelect: orNothing(z.boolean()),
});
const inputSchema = z.object({ questions: z.preprocess(fromJson, z.array(questionSchema).min(1).max(4)) });

/** `ask_user_questions`: choices only, all optional; results in words. */
export const askUserQuestionsCodec: DialectCodec = {
  read(args, { ids, defaultTimeout }) {
    const read = inputSchema.safeParse(args, { reportInput: true });
    if (!read.success) throw new AskboxError("VALIDATION", sentenceFor(read.error, args));
    const questions = read.data.questions.map(({ prompt, title, options, multiSelect }) => ({
      question: prompt,
      header: title,
      type: multiSelect === true ? "multi-select" : "select",
      options,
      required: false,
    }));
    try {
      return { request: parseAsk({ questions }, { ids, defaultTimeout, longQuestions: true }) };
    } catch (error) {
      if (!isAskboxError(error, "VALIDATION")) throw error;
      throw new AskboxError("VALIDATION", error.message.replace(/^(questions\[\d\])\.(question|header)\b/, ownName));
    }
  },
  write(result, request) {
    const also = besides(result, {
      answersOf: (earlier) => listed(earlierQuestions(earlier), earlier.answers, earlier.comment),
      howToReply: replyByGetAnswer,
    });
    if (result.pending && result.askedBack) return inWords(askedBackInWords(result, request, replyByGetAnswer), also);
    if (result.pending) return inWords(ticketSentence(result), also);
    if (result.timedOut) return failedInWords(timeoutSentence(result, request), also);
    if (result.cancelled) return inWords(rejection(result), also);
    if (!result.answered) return inWords(also);
    return inWords(listed(request?.questions ?? [], result.answers, result.comment), also);
  },
  refuse: (sentence) => (sentence === noQuestions ? failedInWords(sentence) : validationError(sentence)),
};

function rejection({ reason }: AskResult): string {
  const why = reason === undefined ? "No reason was given." : `Reason: ${reason}`;
  return `The person rejected the questions. ${why}\n\nDo not proceed as if they had been answered.`;
}

/** Each question by number, with the choices, the person's own words, or a note that it was not answered. */
function listed(questions: readonly Question[], answers: readonly Answer[], comment: string | undefined): string {
  const blocks = questions.map((question, index) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    const isEmpty = answer === undefined || (isSkipped(answer) && !answer.files?.length);
    const lines = isEmpty ? ["Nothing was answered."] : givenLines(question, answer);
    const note = answer?.note === undefined ? [] : [`Note: ${answer.note}`];
    const header = question.header === undefined ? "" : `${question.header}: `;
    return [`${index + 1}. ${header}${question.question}`, ...[...lines, ...note].map((line) => `   - ${line}`)].join("\n");
  });
  return ["The person's answers:", ...blocks, ...(comment === undefined ? [] : [`The person's comment: ${comment}`])].join("\n\n");
}

function givenLines(question: Question, { values, customText }: Answer): string[] {
  const chosen = values.map((value) => {
    const option = "options" in question ? question.options.find((candidate) => candidate.value === value) : undefined;
    const { label = value, description } = option ?? {};
    return description ? `${label} (${description})` : label;
  });
  return customText === undefined ? chosen : [...chosen, `In their own words: ${customText}`];
}

/** The caller's own name of a field. */
const ownName = (_path: string, place: string, field: string): string => `${place}.${field === "question" ? "prompt" : "title"}`;

/** All issues, each with its path; what is wrong with a list as such is said if its items are in order. */
function sentenceFor(error: z.ZodError, args: unknown): string {
  const { questions } = Object(args) as Record<string, unknown>;
  const input = fromJson(questions);
  if (input === undefined || input === null || (Array.isArray(input) && input.length === 0)) return noQuestions;
  const places = error.issues.map((issue) => issuePath(issue));
  const issues = error.issues.filter((issue) => places.every((place) => !place.startsWith(`${issuePath(issue)}[`)));
  return issues.map((issue) => `${issuePath(issue)} ${issueClause(issue)}`).join("; ");
}
