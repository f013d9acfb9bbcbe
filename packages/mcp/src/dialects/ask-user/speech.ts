import { parseAsk } from "@askbox/core";
import type { Speech } from "../dialect.ts";
import { inBothFields, validationError } from "../words/results.ts";

/** `ask_user`, whose result is the core's own. */
export const askUserSpeech: Speech = {
  read: (args, { ids, defaultTimeout }) => ({ request: parseAsk(args, { ids, defaultTimeout }) }),
  write: inBothFields,
  refuse: validationError,
};
