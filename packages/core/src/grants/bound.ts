import { AskboxError } from "../errors.ts";
import type { Grant } from "../ports/grants.ts";
import { quote } from "../quote.ts";
import type { Answer } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { readGrantValue } from "../session/questions/grant-value.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { beginsWith } from "./plain-command.ts";

/** The same questions, offering only grants that its asker can be bound to. */
export function withBoundGrants(request: AskRequest, asker: AskerInfo): AskRequest {
  const questions = request.questions.map((question) => {
    if (!("action" in question) || question.grants === undefined) return question;
    const { grants, ...rest } = question;
    const offered = grants.filter(({ value }) => missingFor(readGrantValue(value)?.scope, asker) === undefined);
    return offered.length === 0 ? rest : { ...rest, grants: offered };
  });
  return { ...request, questions };
}

/**
 * Throws `VALIDATION` for an answer whose grant cannot be stored: its words are not how the command begins, or the asker did not name what
 * it would be bound to. Earlier versions stored questions that offer such grants.
 */
export function refuseGrant({ asker, request }: SessionRecord, answers: readonly Answer[]): void {
  for (const { questionId, values } of answers) {
    const question = request.questions.find(({ id }) => id === questionId);
    if (question === undefined || !("action" in question)) continue;
    const { prefix, scope } = readGrantValue(values[0] ?? "") ?? {};
    const { kind, command = "" } = question.action;
    if (prefix !== undefined && (kind !== "command" || prefix.length > 500 || !beginsWith(command, prefix)))
      throw new AskboxError("VALIDATION", `${quote(prefix)} is not how this action's plain command begins.`);
    const missing = missingFor(scope, asker);
    if (missing !== undefined) throw new AskboxError("VALIDATION", `Allow it once: its agent did not say which ${missing} it works in.`);
  }
}

/** What the asker did not name, of that to which a grant of this scope is bound. */
function missingFor(scope: Grant["scope"] | undefined, { project, conversation }: AskerInfo): "project" | "conversation" | undefined {
  if (scope !== undefined && project === undefined) return "project";
  return scope === "session" && conversation === undefined ? "conversation" : undefined;
}
