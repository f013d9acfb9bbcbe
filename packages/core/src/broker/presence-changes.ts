import type { PresenceFacts } from "./peer-message.ts";

export function isSame(one: PresenceFacts | undefined, other: PresenceFacts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Remembers what was published about a session, and returns whether a change is new: publishing costs a read of the session and a message
 * to each surface.
 */
export function learn(known: Map<string, PresenceFacts>, id: string, facts: PresenceFacts | null): boolean {
  const isNew = !isSame(known.get(id), facts ?? undefined);
  if (facts === null) known.delete(id);
  else known.set(id, facts);
  return isNew;
}
