import { assertEqual, type ContractCase } from "../contract.ts";
import { anAsk, anOutcome, settled } from "../fixtures.ts";
import { aDraft, assertStored, numbered, type StoreHarness, storeCase } from "./harness.ts";

/** Texts that a store must neither reject nor change, by their peculiarity. */
export const oddTexts: Readonly<Record<string, string>> = {
  "NUL characters": "before\u0000after\u0000",
  "escape sequences": "\u001b[2J\u001b]0;title\u0007\u009b31m",
  "bidi controls": "safe\u202egnp.exe\u2066\u2069",
  "100,000 characters": "löng ".repeat(20_000),
  "quotes, backslashes and wildcards": `"'\`\\ %_* \\u0000 '; DROP TABLE sessions; --`,
  "line breaks of every kind": "a\nb\r\nc\u2028d\u2029e\u0085f",
  "characters outside the basic plane": "👩🏽‍🚀 𝔸 \u{10ffff}",
  "composed and decomposed accents": "é e\u0301",
  "lone surrogates": "\ud800 middle \udfff",
  nothing: "",
};

/**
 * Every text is preserved, code unit by code unit. That includes lone surrogates: JSON writes them as escapes (ECMAScript, well-formed
 * JSON.stringify), so a store that uses JSON preserves them.
 */
export const textCases: readonly ContractCase<StoreHarness>[] = Object.entries(oddTexts).map(([what, text]) =>
  storeCase(`stores ${what} as sent`, async (store) => {
    const base = numbered(1);
    const record = {
      ...base,
      key: text,
      asker: { client: { name: text, version: text }, project: text, branch: text, agentId: text },
      request: anAsk({ title: text, questions: [{ id: text, type: "text", question: text, required: true, header: text }] }),
    };
    await store.insert(record);
    await assertStored(store, record, "the pending session");
    assertEqual((await store.list({ key: text, project: text, agentId: text, clientName: text })).sessions, [record], "found by that text");
    const draft = aDraft(record.id, { fields: { [text]: { values: [text], customText: text } }, comment: text });
    await store.putDraft(draft, 0);
    assertEqual(await store.getDraft(record.id), draft, "the draft");
    const answer = { questionId: text, values: [text], customText: text, note: text };
    const answered = settled(record, anOutcome({ answers: [answer], comment: text, by: { surface: "web", name: text } }));
    await store.replace(answered, 1);
    await assertStored(store, answered, "the answered session");
    assertEqual((await store.list({ text })).sessions, [answered], "found by searching for that text");
  }),
);
