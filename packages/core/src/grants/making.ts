import { AskboxError } from "../errors.ts";
import type { Digest } from "../ports/digest.ts";
import type { Grant } from "../ports/grants.ts";
import type { Answerer } from "../session/actor.ts";
import type { Answer } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { readGrantValue } from "../session/questions/grant-value.ts";
import type { Action } from "../session/questions/schemas.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { actionDigest } from "./matching.ts";

const maxShown = 2_000;

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
 * Throws `VALIDATION` for an answer whose grant cannot be stored: the asker did not name what it would be bound to. Earlier versions
 * stored questions that offer such grants.
 */
export function refuseUnbound({ asker, request }: SessionRecord, answers: readonly Answer[]): void {
  for (const { questionId, values } of answers) {
    const question = request.questions.find(({ id }) => id === questionId);
    const wish = values[0] === undefined || question === undefined || !("action" in question) ? undefined : readGrantValue(values[0]);
    const missing = missingFor(wish?.scope, asker);
    if (missing !== undefined) throw new AskboxError("VALIDATION", `Allow it once: its agent did not say which ${missing} it works in.`);
  }
}

/** What the asker did not name, of that to which a grant of this scope is bound. */
function missingFor(scope: Grant["scope"] | undefined, { project, conversation }: AskerInfo): "project" | "conversation" | undefined {
  if (scope !== undefined && project === undefined) return "project";
  return scope === "session" && conversation === undefined ? "conversation" : undefined;
}

/** The grants that a person's answer creates; usually none. */
export async function grantsOf(
  { id, asker, request }: SessionRecord,
  { answers, by, at }: { answers: readonly Answer[]; by: Answerer; at: number },
  digest: Digest,
): Promise<Grant[]> {
  const made = request.questions.map(async (question): Promise<Grant | undefined> => {
    const value = answers.find(({ questionId }) => questionId === question.id)?.values[0];
    const wish = value === undefined || !("action" in question) ? undefined : readGrantValue(value);
    if (wish === undefined || !("action" in question)) return undefined;
    const { project, conversation, client } = asker;
    const { scope, duration } = wish;
    if (project === undefined) return undefined;
    const { action } = question;
    return {
      // The same however often the answer is sent.
      id: `${id}-${request.questions.indexOf(question) + 1}`,
      ...{ scope, client: client.name, project },
      ...(scope === "session" && { conversation }),
      kind: action.kind,
      ...(action.tool !== undefined && { tool: action.tool }),
      match: { type: "exact", digest: await actionDigest(digest, action) },
      shown: shownOf(action),
      ...(action.cwd !== undefined && { cwd: action.cwd }),
      ...{ by, sessionId: id, createdAt: at, expiresAt: at + duration },
    };
  });
  return (await Promise.all(made)).filter((grant) => grant !== undefined);
}

/** Describes an action in a list of grants. */
function shownOf({ command, path, text, tool, input, inputJson }: Action): string {
  const shown = command ?? path ?? text ?? `${tool ?? ""} ${inputJson ?? JSON.stringify(input ?? {})}`.trim();
  return shown.length > maxShown ? `${shown.slice(0, maxShown - 1)}…` : shown;
}
