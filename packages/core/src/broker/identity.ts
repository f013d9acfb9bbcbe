import type { Digest } from "../ports/digest.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { Question } from "../session/questions/index.ts";
import type { AskRequest } from "../session/record.ts";

/** Gives an asker's scope. */
export type Scopes = (owner: string, asker: AskerInfo) => Promise<string>;

/** More than one machine's agents; each takes some 200 bytes. */
const keptScopes = 500;

/**
 * Which asker of a token this is: the same client in the same project with the same agent id, whatever its version or branch. Remembered, since the same
 * few ask again and again, and a digest is often made on another thread.
 */
export function rememberedScopes(digest: Digest): Scopes {
  const kept = new Map<string, Promise<string>>();
  return (owner, asker) => {
    const text = agentText(owner, asker);
    const known = kept.get(text);
    if (known !== undefined) return known;
    const scope = digest(text);
    if (kept.size >= keptScopes) kept.clear();
    kept.set(text, scope);
    scope.catch(() => kept.delete(text));
    return scope;
  };
}

/** What makes an asker of a token the agent that it is. */
export function agentText(owner: string, { client, project, agentId }: AskerInfo): string {
  return JSON.stringify([owner, client.name, project ?? null, agentId ?? null]);
}

/** Whether both may be the same agent: what both say of client, project and agent id is equal. */
export function isSameAgent(one: AskerInfo, other: AskerInfo): boolean {
  if (one.client.name !== other.client.name) return false;
  return (["project", "agentId"] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
}

const generatedId = /^q_[0-9a-z]{6}$/;

/** What makes two questions equal: type, text, options and action. */
export function partsOf(question: Question): unknown[] {
  const options = "options" in question ? question.options.map(({ label, value }) => [label, value]) : [];
  return [question.type, question.question, options, ...("action" in question ? [question.action] : [])];
}

/** What makes two asks the same: their questions are equal, and so are the ids that the agent chose itself. */
export function digestOf(digest: Digest, request: AskRequest): Promise<string> {
  const parts = request.questions.map((question) => [...partsOf(question), generatedId.test(question.id) ? null : question.id]);
  return digest(JSON.stringify(parts));
}
