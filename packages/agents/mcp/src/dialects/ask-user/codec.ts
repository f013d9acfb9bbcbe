import { type Answer, AskboxError, type AskRequest, type AskResult, isAskboxError, parseAsk } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { DialectCodec, ReadOptions } from "../dialect.ts";
import { asTitle, fieldsOf, fromJson, textField, untilClosed } from "../words/feedback.ts";
import { besides, inBothFields, inWords, openOrNot, replyByGetAnswer, validationError } from "../words/sentences.ts";

/** `ask_user`, whose result is the core's own; and seamless-agent's tool of that name, by its shape. */
export const askUserCodec: DialectCodec = {
  read(args, options) {
    const one = oneQuestion(args);
    if (one !== undefined) return { request: readOneQuestion(one, options) };
    const { ids, defaultTimeout } = options;
    const request = parseAsk(args, { ids, defaultTimeout });
    const { replaces } = Object(args) as { replaces?: unknown };
    if (replaces === undefined || replaces === null || replaces === "") return { request };
    if (typeof replaces !== "string") throw new AskboxError("VALIDATION", "replaces must be the sessionId of a pending result");
    return { request, replaces };
  },
  write: (result, request) => (isOneQuestion(request) ? oneQuestionResult(result, request) : inBothFields(result)),
  refuse: validationError,
};

type Fields = Record<string, unknown>;

/** The fields of seamless-agent's `ask_user`, whose `question` is a text. A call with any other field has the shape of this tool. */
const fieldNames = ["question", "title", "agentName", "options", "multiSelect"];
/** The ids of its questions, which later calls recognize them by. */
const idOf = (index: number) => `seamless-agent-${index + 1}`;

/** The fields of a call in seamless-agent's shape; undefined for another. Models send null for what they omit. */
export function oneQuestion(args: unknown): Fields | undefined {
  const entries = Object.entries(fieldsOf(args)).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(entries);
  return typeof fields["question"] === "string" && entries.every(([name]) => fieldNames.includes(name)) ? fields : undefined;
}

/** Whether these questions were asked in that shape. */
export const isOneQuestion = (request: AskRequest | undefined): request is AskRequest => request?.questions[0]?.id === idOf(0);

/** The call as questions: one, or one for each group of options. All may be left unanswered, as in that contract. Throws `VALIDATION`. */
function readOneQuestion(fields: Fields, { ids, timeout = untilClosed }: ReadOptions): AskRequest {
  const { question, options: sent, multiSelect } = fields;
  const options = fromJson(sent ?? []);
  const groups = Array.isArray(options) && options.length > 0 && options.every(isGroup) ? options : undefined;
  const asked =
    groups === undefined
      ? [{ question, multiSelect, ...(Array.isArray(options) && options.length === 0 ? {} : { options }) }]
      : groups.map(({ title, options, multiSelect }, index) => ({
          ...(index === 0 ? { question, header: title } : { question: title }),
          options,
          multiSelect,
        }));
  const questions = asked.map((one, index) => ({ ...one, id: idOf(index), required: false }));
  const title = asTitle([textField(fields, "agentName"), textField(fields, "title")].filter((part) => part !== undefined).join(": "));
  try {
    return parseAsk({ questions, title, timeout }, { ids, longQuestions: true });
  } catch (error) {
    if (!isAskboxError(error, "VALIDATION")) throw error;
    const { message } = error;
    throw new AskboxError(
      "VALIDATION",
      groups === undefined ? message.replace(/^questions\[0\][. ]/, "") : message.replace("questions[", "options["),
    );
  }
}

const isGroup = (option: unknown): option is { title: string; options: unknown[]; multiSelect?: unknown } => {
  const { title, options } = fieldsOf(option);
  return typeof title === "string" && title.trim() !== "" && Array.isArray(options);
};

/** The result in that contract's form, as text; the fields of this tool come with it in the structure, since its schema requires them. */
function oneQuestionResult(result: AskResult, request: AskRequest): CallToolResult {
  const response = openOrNot(result, request) ?? replyOf(request, result);
  const files = [...result.answers, result].flatMap((part) => part.files ?? []);
  const attachments = files.flatMap(({ path }) => (path === undefined ? [] : [fileUri(path)]));
  const told = { responded: result.answered && (response.trim() !== "" || files.length > 0), response, attachments };
  const also = besides(result, { answersOf: (earlier) => replyOf(request, earlier), howToReply: replyByGetAnswer });
  return { ...inWords(JSON.stringify(told), also), structuredContent: { ...Object(inBothFields(result).structuredContent), ...told } };
}

/** What was picked, with its group, and below it everything that was written. */
function replyOf({ questions }: AskRequest, { answers, comment }: Pick<AskResult, "answers" | "comment">): string {
  const isChoice = ({ questionId }: Answer) => questions.some((question) => question.id === questionId && "options" in question);
  const picked = answers.flatMap((answer) => {
    if (answer.values.length === 0 || !isChoice(answer)) return [];
    const index = questions.findIndex(({ id }) => id === answer.questionId);
    const group = questions[index]?.header ?? (index > 0 ? questions[index]?.question : undefined);
    const values = answer.values.join(", ");
    return [group === undefined ? values : `${group}: ${values}`];
  });
  const written = answers.flatMap((answer) => [...(isChoice(answer) ? [] : answer.values), answer.customText, answer.note]);
  return [picked.join("\n"), ...written, comment].filter((text) => text).join("\n\n");
}

const fileUri = (path: string): string => {
  const plain = encodeURI(path.replaceAll("\\", "/")).replace(/[?#]/g, encodeURIComponent);
  return `file://${plain.startsWith("/") ? "" : "/"}${plain}`;
};
