import type { Digest } from "../ports/digest.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { Question } from "../session/questions/index.ts";
import type { AskRequest } from "../session/record.ts";

/** Returns an asker's scope. */
export type Scopes = (owner: string, asker: AskerInfo) => Promise<string>;

/** More than the agents of one machine; each entry takes about 200 bytes. */
const keptScopes = 500;

/**
 * Identifies an asker of a token: the same client in the same project with the same agent id, regardless of version or branch. Cached,
 * since the same few ask repeatedly, and a digest is often computed on another thread.
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

/** The fields that identify an agent of a token. */
export function agentText(owner: string, { client, project, agentId }: AskerInfo): string {
  return JSON.stringify([owner, client.name, project ?? null, agentId ?? null]);
}

/** Whether both may be the same agent: the client, project and agent id that both give are equal. */
export function isSameAgent(one: AskerInfo, other: AskerInfo): boolean {
  if (one.client.name !== other.client.name) return false;
  return (["project", "agentId"] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
}

const generatedId = /^q_[0-9a-z]{6}$/;

/** The fields that make two questions equal: type, text, options and action. */
export function partsOf(question: Question): unknown[] {
  const options = "options" in question ? question.options.map(({ label, value }) => [label, value]) : [];
  return [question.type, question.question, options, ...("action" in question ? [question.action] : [])];
}

/** What makes two asks equal: equal questions, and equal ids where the agent chose them itself. */
export function digestOf(digest: Digest, request: AskRequest): Promise<string> {
  const parts = request.questions.map((question) => [...partsOf(question), generatedId.test(question.id) ? null : question.id]);
  return digest(JSON.stringify(parts));
}
