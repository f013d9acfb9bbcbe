import { AskboxError, parseAsk } from "@askbox/core";
import type { Speech } from "../dialect.ts";
import { inBothFields, validationError } from "../words/results.ts";

/** `ask_user`, whose result is the core's own. */
export const askUserSpeech: Speech = {
  read(args, { ids, defaultTimeout }) {
    const request = parseAsk(args, { ids, defaultTimeout });
    const { replaces } = Object(args) as { replaces?: unknown };
    if (replaces === undefined || replaces === null || replaces === "") return { request };
    if (typeof replaces !== "string") throw new AskboxError("VALIDATION", "replaces must be the sessionId of a pending result");
    return { request, replaces };
  },
  write: inBothFields,
  refuse: validationError,
};
