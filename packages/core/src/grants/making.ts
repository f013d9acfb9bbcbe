import { cut } from "../cut.ts";
import type { Digest } from "../ports/digest.ts";
import type { Grant } from "../ports/grants.ts";
import type { Answerer } from "../session/actor.ts";
import type { Answer } from "../session/answer.ts";
import { readGrantValue } from "../session/questions/grant-value.ts";
import type { Action } from "../session/questions/schemas.ts";
import type { SessionRecord } from "../session/record.ts";
import { actionDigest } from "./matching.ts";

const maxShown = 2_000;

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
    const { scope, duration, prefix } = wish;
    if (project === undefined) return undefined;
    const { action } = question;
    return {
      // The same however often the answer is sent.
      id: `${id}-${request.questions.indexOf(question) + 1}`,
      scope,
      client: client.name,
      project,
      ...(scope === "session" && { conversation }),
      kind: action.kind,
      ...(prefix === undefined ? await exactly(action, digest) : { match: { type: "prefix", prefix }, shown: `${prefix} …` }),
      by,
      sessionId: id,
      createdAt: at,
      expiresAt: at + duration,
    };
  });
  return (await Promise.all(made)).filter((grant) => grant !== undefined);
}

const exactly = async (action: Action, digest: Digest): Promise<Pick<Grant, "tool" | "match" | "shown" | "cwd">> => ({
  ...(action.tool !== undefined && { tool: action.tool }),
  match: { type: "exact", digest: await actionDigest(digest, action) },
  shown: shownOf(action),
  ...(action.cwd !== undefined && { cwd: action.cwd }),
});

/** Describes an action in a list of grants. */
function shownOf({ command, path, text, tool, input, inputJson }: Action): string {
  const shown = command ?? path ?? text ?? `${tool ?? ""} ${inputJson ?? JSON.stringify(input ?? {})}`.trim();
  return cut(shown, maxShown);
}
