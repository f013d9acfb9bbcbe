import { canonicalJson } from "../exact-json.ts";
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

/** All that a person sees of a question and all that bounds its answer, as text; without an id that the agent did not choose. */
export function textOf({ id, ...question }: Question): string {
  return canonicalJson(generatedId.test(id) ? question : { id, ...question });
}

/**
 * What makes two asks equal, as text: everything that is shown, and everything that bounds an answer. Without the timeout, which a repeated
 * ask extends.
 */
export function textOfAsk({ title, questions }: AskRequest): string {
  return JSON.stringify([title ?? null, ...questions.map(textOf)]);
}
