import type { Clock, Desk } from "@askbox/core";
import type { Card } from "./card.ts";

/** How long somebody who pressed counts as looking at the question, in ms. */
const attention = 60_000;

/** Shows others that somebody is at a question, for a while after what they did last. */
export function lookers(clock: Clock, deskOf: (person: string) => Pick<Desk, "attend">) {
  const leaving = new Map<string, () => void>();
  const leave = (cardId: string) => {
    leaving.get(cardId)?.();
    leaving.delete(cardId);
  };
  return {
    async look(card: Card, person: string): Promise<void> {
      const left = await deskOf(person)
        .attend(card.sessionId)
        .catch(() => undefined);
      if (left === undefined) return;
      leave(card.id);
      const cancel = clock.setTimer(attention, () => leave(card.id));
      leaving.set(card.id, () => {
        cancel();
        left();
      });
    },
    leave,
    close(): void {
      for (const cardId of [...leaving.keys()]) leave(cardId);
    },
  };
}
