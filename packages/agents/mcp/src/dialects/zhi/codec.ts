import type { DialectCodec } from "../dialect.ts";
import {
  type FeedbackWords,
  feedbackRequest,
  feedbackResult,
  fieldsOf,
  requiredField,
  textsField,
  untilClosed,
} from "../words/feedback.ts";
import { validationError } from "../words/sentences.ts";

const words: FeedbackWords = {
  reply(chosen, text) {
    const parts = [chosen.length === 0 ? "" : `选择的选项: ${chosen.join(", ")}`, text.trim()];
    return parts.filter((part) => part !== "").join("\n\n") || "用户未提供任何内容";
  },
  declined: "用户取消了操作",
};

/** `zhi`: one message with options to choose from, several if the person likes. */
export const zhiCodec: DialectCodec = {
  read(args, { timeout = untilClosed, ...options }) {
    const fields = fieldsOf(args);
    const message = requiredField(fields, "message");
    const text = String(fields["is_markdown"] ?? true) === "false" ? asCode(message) : message;
    const choices = textsField(fields, "predefined_options");
    return { request: feedbackRequest({ field: "message", text, options: choices, many: true, timeout }, options) };
  },
  write: (result, request) => feedbackResult(words, result, request),
  pictures: () => "first",
  refuse: validationError,
};

/** Text as markdown that shows it as it is, in a fence that the text can't close. */
function asCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${text}\n${fence}`;
}
