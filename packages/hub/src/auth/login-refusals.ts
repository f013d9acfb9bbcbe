// Its sentences are loaded when one is needed.
import { AskboxError } from "@askbox/core";
import type { CodeVerdict } from "./login-codes.ts";

/** Why a code logs nobody in, and the HTTP status for it. */
export interface LoginRefusal {
  status: 401 | 410;
  sentence: string;
}

export const loginRefusals: Record<Exclude<CodeVerdict, "good">, LoginRefusal> = {
  used: { status: 410, sentence: "This login link has already been used; run `askbox open` for a new one." },
  expired: { status: 410, sentence: "This login link is older than 10 minutes; run `askbox open` for a new one." },
  unknown: {
    status: 401,
    sentence: "The hub does not know this login link, perhaps because it was restarted; run `askbox open` for a new one.",
  },
};

/** The error for a browser that asks for a login link. */
export const noLinksForBrowsers = (): AskboxError =>
  new AskboxError("FORBIDDEN", "A browser cannot log another one in; run `askbox open` on the hub's machine.");

/** The error for a program that logs out. */
export const onlyBrowsersLogOut = (): AskboxError =>
  new AskboxError("VALIDATION", "Only a browser can log out; use DELETE /auth/devices/ID to log out another one.");
