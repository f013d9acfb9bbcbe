import type { AskboxError, SessionView } from "@askbox/core";

/** The command's exit codes; part of the public contract. */
export const exitCodes = Object.freeze({
  /** Answered, or done. */
  done: 0,
  failed: 1,
  /** Wrong usage: invalid flags, arguments or input. */
  usage: 2,
  cancelled: 3,
  timed_out: 4,
  /** No hub could be reached or started. */
  noHub: 5,
});
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOfError(error: AskboxError): ExitCode {
  if (error.code === "VALIDATION") return exitCodes.usage;
  if (error.code === "HUB_UNREACHABLE") return exitCodes.noHub;
  return exitCodes.failed;
}

/** The exit code for a settled session, from the asker's point of view. */
export function exitCodeOfOutcome(kind: NonNullable<SessionView["outcome"]>["kind"]): ExitCode {
  return { answered: exitCodes.done, cancelled: exitCodes.cancelled, timedOut: exitCodes.timed_out }[kind];
}
