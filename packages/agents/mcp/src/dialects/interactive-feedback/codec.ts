import { type AskRequest, limits } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type { DialectCodec, PicturePlace } from "../dialect.ts";
import {
  type FeedbackMessage,
  type FeedbackWords,
  feedbackRequest,
  feedbackResult,
  fieldsOf,
  requiredField,
  textField,
  textsField,
  untilClosed,
} from "../words/feedback.ts";
import { validationError } from "../words/sentences.ts";

type Fields = Record<string, unknown>;

/** One of the contracts with this tool's name. */
interface Contract {
  /** The id of its question, which later calls recognize it by. */
  id: string;
  /** Whether a call follows this contract. */
  takes(fields: Fields): boolean;
  message(fields: Fields): Omit<FeedbackMessage, "id">;
  words: FeedbackWords;
  pictures?: PicturePlace;
}

const asJson = (others: object) => (feedback: string) => JSON.stringify({ ...others, interactive_feedback: feedback }, null, 2);
const withLogs = asJson({ logs: "" });
const withoutLogs = asJson({});
const lines = (chosen: readonly string[], text: string): string => [chosen.join("; "), text].filter((part) => part !== "").join("\n\n");

/** poliva/interactive-feedback-mcp. */
const withOptions: Contract = {
  id: "message",
  takes: (fields) => textField(fields, "message") !== undefined || ("message" in fields && !("summary" in fields)),
  message: (fields) => ({
    field: "message",
    text: requiredField(fields, "message"),
    options: textsField(fields, "predefined_options"),
    many: true,
    timeout: untilClosed,
  }),
  words: { reply: (chosen, text) => withoutLogs(lines(chosen, text)), wrap: withoutLogs },
};

/** noopstudios/interactive-feedback-mcp, whose logs are of a command that its window can run. */
const oneLine: Contract = {
  id: "interactive_feedback",
  takes: (fields) => [fields["project_directory"], fields["summary"]].every((value) => value) && (fields["timeout"] ?? "") === "",
  message: (fields) => ({
    field: "summary",
    text: firstLine(requiredField(fields, "summary")),
    header: folderOf(firstLine(requiredField(fields, "project_directory"))),
    many: false,
    timeout: untilClosed,
  }),
  words: { reply: (chosen, text) => withLogs(lines(chosen, text)), wrap: withLogs },
};

/** Minidoracat/mcp-feedback-enhanced; all of its fields are optional. */
const enhanced: Contract = {
  id: "summary",
  takes: () => true,
  message: (fields) => ({
    field: "summary",
    text: textField(fields, "summary") ?? "我已完成了您請求的任務。",
    header: folderOf(textField(fields, "project_directory") ?? ""),
    many: false,
    timeout: withinRange(fields["timeout"]),
  }),
  words: {
    reply: (chosen, text) => (chosen.length === 0 && text === "" ? "用戶未提供任何回饋內容。" : `=== 用戶回饋 ===\n${lines(chosen, text)}`),
    declined: "用戶取消了回饋。",
  },
  pictures: "last",
};

const contracts = [withOptions, oneLine, enhanced];

/** `interactive_feedback`, in the contract whose fields a call has. */
export const interactiveFeedbackCodec: DialectCodec = {
  read(args, { timeout, ...options }) {
    const fields = fieldsOf(args);
    const { id, message } = contracts.find(({ takes }) => takes(fields)) ?? enhanced;
    const read = message(fields);
    // As with every tool with a time of its own, the server's setting comes first, unless the call itself says how long.
    const asked = (fields["timeout"] ?? "") === "" ? (timeout ?? read.timeout) : read.timeout;
    return { request: feedbackRequest({ ...read, id, timeout: asked }, options), project: absolute(fields["project_directory"]) };
  },
  write: (result, request) => feedbackResult(contractOf(request)?.words ?? enhanced.words, result, request),
  pictures: (request) => contractOf(request)?.pictures,
  refuse: validationError,
};

const contractOf = (request: AskRequest | undefined) => contracts.find(({ id }) => id === request?.questions[0]?.id);

const firstLine = (text: string): string =>
  text
    .trimStart()
    .split(/\r?\n|\r/, 1)[0]
    ?.trim() ?? "";

/** A path that can name a project: absolute on any system, and of one line. */
const absolute = (path: unknown): string | undefined =>
  typeof path === "string" && path.length <= limits.asker.project && /^(?:\/|[A-Za-z]:[\\/])[^\r\n]*$/.test(path) ? path : undefined;

/** The last part of a path, as a label; undefined for the current folder. */
const folderOf = (path: string): string | undefined => {
  const folder = path.split(/[\\/]/).findLast((part) => part.trim() !== "" && part !== ".");
  return folder === undefined ? undefined : cut(folder, maxLabel, "");
};
const maxLabel = 100;

/** Seconds as ms, within this contract's minimum and the longest that askbox waits; what is not a number means its default. */
function withinRange(timeout: unknown): number {
  const seconds = Math.trunc(Number(timeout ?? ""));
  return (timeout ?? "") === "" || Number.isNaN(seconds) ? 600_000 : Math.min(Math.max(seconds * 1_000, 60_000), untilClosed);
}
