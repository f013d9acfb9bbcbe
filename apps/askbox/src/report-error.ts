import { type AnswerIssue, type AskboxError, type SessionView, toAskboxError } from "@askbox/core";
import { sessionViewSchema } from "@askbox/core/schemas";
import { terminalLine } from "@askbox/terminal-text";
import type { Io } from "./io.ts";
import { writeJson } from "./json-output.ts";
import { outcomeSentence } from "./text/outcome-text.ts";

/** Reports an error: a sentence on stderr, and with `--json` the error as the only document on stdout. */
export async function reportError(io: Io, thrown: unknown, options: { json: boolean; now: number }): Promise<AskboxError> {
  const error = toAskboxError(thrown);
  await io.stderr.write(`${sentencesFor(error, options.now)}\n`);
  if (options.json) await writeJson(io.stdout, { error: error.toJSON() });
  return error;
}

function sentencesFor(error: AskboxError, now: number): string {
  const message = terminalLine(error.message);
  switch (error.code) {
    case "INVALID_ANSWER": {
      const issues = issuesOf(error).map((issue) => `  ${terminalLine(issue.message)} (${terminalLine(issue.questionId)})`);
      // The error's own message already contains the first issue.
      return issues.length === 0 ? message : ["The answer is incomplete or invalid:", ...issues].join("\n");
    }
    case "SESSION_CLOSED": {
      const session = standingSession(error);
      const sentence = session === undefined ? undefined : outcomeSentence(session, now);
      return sentence === undefined ? message : `Nothing changed: this is already settled. ${sentence}`;
    }
    case "INTERNAL":
      // Node's own words for a program that needs its folder, in one that was removed.
      if (error.message.includes("uv_cwd")) return "This folder was removed; change to another one, and run it again.";
      return `askbox failed: ${message}`;
    default:
      return message;
  }
}

function issuesOf(error: AskboxError): AnswerIssue[] {
  const issues = error.details?.["issues"];
  return Array.isArray(issues) ? (issues as AnswerIssue[]) : [];
}

function standingSession(error: AskboxError): SessionView | undefined {
  const read = sessionViewSchema.safeParse(error.details?.["session"]);
  return read.success ? read.data : undefined;
}
