import type { DialectCodec } from "../dialect.ts";
import { type FeedbackWords, feedbackRequest, feedbackResult, fieldsOf, requiredField, textsField } from "../words/feedback.ts";
import { validationError } from "../words/sentences.ts";

const words: FeedbackWords = {
  reply(chosen, text) {
    const reply = [...chosen, text].filter((part) => part !== "").join("\n\n");
    return reply === "" ? "User replied with empty input." : `User replied: ${reply}`;
  },
  timed_out: "User did not reply: Timeout occurred.",
};

/** `request_user_input`: one question of a project, with at most one of its options as the reply. */
export const requestUserInputCodec: DialectCodec = {
  read(args, options) {
    const fields = fieldsOf(args);
    const header = requiredField(fields, "projectName");
    const text = requiredField(fields, "message");
    const choices = textsField(fields, "predefinedOptions");
    return { request: feedbackRequest({ field: "message", text, header, options: choices, many: false }, options) };
  },
  write: (result, request) => feedbackResult(words, result, request),
  refuse: validationError,
};
