import type { PresenceFacts } from "./peer-message.ts";

export function isSame(one: PresenceFacts | undefined, other: PresenceFacts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Keeps what is notified of a session, and says whether it is news: each piece of news costs a read of its session and a message to each surface. */
export function learn(known: Map<string, PresenceFacts>, id: string, facts: PresenceFacts | null): boolean {
  const isNew = !isSame(known.get(id), facts ?? undefined);
  if (facts === null) known.delete(id);
  else known.set(id, facts);
  return isNew;
}
