import { parseAsk } from "@askbox/core";
import { inBothFields, validationError } from "./results.ts";
import type { Speech } from "./speech.ts";

/** `ask_user`, whose result is the core's own. */
export const askUserSpeech: Speech = {
  read: (args, { ids, defaultTimeout }) => ({ request: parseAsk(args, { ids, defaultTimeout }) }),
  write: inBothFields,
  refuse: validationError,
};
