import type { Phrases } from "../ports/desk.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import type { BrokerContext } from "./context.ts";

/** How many sessions are read, and at a time, since each may have 256 KB; and how many phrases there are of each kind, and how long. */
const max = { sessions: 300, batch: 50, phrases: 6, length: 200 };
/** Used less often, it isn't usual. */
const minUses = 2;

/** What people have written more than once: see `Desk.phrases`. */
export async function usualPhrases({ store }: Pick<BrokerContext, "store">, project: string | undefined): Promise<Phrases> {
  const counts = { texts: new Map<string, number>(), reasons: new Map<string, number>() };
  let cursor: string | undefined;
  for (let count = 0; count < max.sessions; ) {
    const page = await store.list({
      states: ["answered", "cancelled"],
      limit: max.batch,
      project,
      ...(cursor !== undefined && { cursor }),
    });
    for (const record of page.sessions) {
      for (const [kind, text] of writtenIn(record)) {
        const words = text.trim();
        if (words !== "" && words.length <= max.length) counts[kind].set(words, (counts[kind].get(words) ?? 0) + 1);
      }
    }
    count += page.sessions.length;
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return { texts: usual(counts.texts), reasons: usual(counts.reasons) };
}

/** Those used most often; of those, the ones used last. */
const usual = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts]
    .filter(([, count]) => count >= minUses)
    .sort(([, one], [, other]) => other - one)
    .slice(0, max.phrases)
    .map(([text]) => text);

function writtenIn({ request, context: { outcome } }: SessionRecord): ["texts" | "reasons", string][] {
  // A grant, the agent and the deadline write nothing.
  if (outcome?.kind === "cancelled") return outcome.by.surface === "asker" ? [] : [["reasons", outcome.reason ?? ""]];
  if (outcome?.kind !== "answered" || outcome.by.surface === "grant") return [];
  return request.questions.flatMap((question): ["texts" | "reasons", string][] => {
    const { values = [], customText = "" } = outcome.answers.find(({ questionId }) => questionId === question.id) ?? {};
    const { picks, typed } = traitsOf(question);
    if (picks === "decision") return [["reasons", customText]];
    return typed === "words" ? [["texts", values[0] ?? ""]] : [["texts", customText]];
  });
}
