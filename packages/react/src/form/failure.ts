import type { AskboxError, SessionView } from "@askbox/core";
import { isAskboxError } from "@askbox/core/transport";
import type { FormAction, FormFailure } from "./form-state.ts";

export function failureOf(action: FormAction, error: AskboxError): FormFailure {
  const issues = error.details?.["issues"];
  return { action, code: error.code, message: error.message, issues: Array.isArray(issues) ? issues : [] };
}

/** The settled session in the hub's error. */
export function standingSession(error: AskboxError): SessionView | undefined {
  const session = error.details?.["session"] as SessionView | undefined;
  return isAskboxError(error, "SESSION_CLOSED") && session?.status ? session : undefined;
}
