import { AskboxError, parseAsk } from "@askbox/core";
import type { DialectCodec } from "../dialect.ts";
import { inBothFields, validationError } from "../words/results.ts";
import { isOneQuestion, oneQuestion, oneQuestionResult, readOneQuestion } from "./one-question.ts";

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
