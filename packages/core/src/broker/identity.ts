import type { Digest } from "../ports/digest.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { AskRequest } from "../session/record.ts";

/** Which asker of a token this is: the same client in the same project with the same agent id, whatever its version or branch. */
export function scopeOf(digest: Digest, owner: string, asker: AskerInfo): Promise<string> {
  return digest(JSON.stringify([owner, asker.client.name, asker.project ?? null, asker.agentId ?? null]));
}

const generatedId = /^q_[0-9a-z]{6}$/;

/** What makes two asks the same: type, text and options of all questions, and the ids that the agent chose itself. */
export function digestOf(digest: Digest, request: AskRequest): Promise<string> {
  const parts = request.questions.map((question) => {
    const options = "options" in question ? question.options.map(({ label, value }) => [label, value]) : [];
    return [question.type, question.question, options, generatedId.test(question.id) ? null : question.id];
  });
  return digest(JSON.stringify(parts));
}
