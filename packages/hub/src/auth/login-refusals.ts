// Its sentences are loaded when one is needed.
import { AskboxError } from "@askbox/core";
import type { HubAdvice } from "../server/advice.ts";
import type { CodeUse, CodeVerdict } from "./login-codes.ts";

/** Why a code logs nobody in, or no machine joins by it, and the HTTP status for it. */
export interface LoginRefusal {
  status: 401 | 410;
  sentence: string;
}

export function loginRefusal(verdict: Exclude<CodeVerdict, "good">, use: CodeUse, { login, invite }: HubAdvice): LoginRefusal {
  if (use === "join") {
    if (verdict === "used") return { status: 410, sentence: `A machine has already joined by this code; ${invite}.` };
    if (verdict === "expired") return { status: 410, sentence: `This code is older than 15 minutes; ${invite}.` };
    return { status: 401, sentence: `The hub does not know this code, perhaps because it was restarted; ${invite}.` };
  }
  if (verdict === "used") return { status: 410, sentence: `This login link has already been used; ${login}.` };
  if (verdict === "expired") return { status: 410, sentence: `This login link is older than 10 minutes; ${login}.` };
  return { status: 401, sentence: `The hub does not know this login link, perhaps because it was restarted; ${login}.` };
}

/** The error for a browser that asks for a login link. */
export const noLinksForBrowsers = ({ login }: HubAdvice): AskboxError =>
  new AskboxError("FORBIDDEN", `A browser cannot create login links; ${login}.`);

/** The error for a browser that invites a machine. */
export const noInvitesByBrowsers = ({ invite }: HubAdvice): AskboxError =>
  new AskboxError("FORBIDDEN", `A browser cannot invite machines; ${invite}.`);

/** The error for a program that logs out. */
export const onlyBrowsersLogOut = (): AskboxError =>
  new AskboxError("VALIDATION", "Only a browser can log out; use DELETE /auth/devices/ID to log out another one.");
