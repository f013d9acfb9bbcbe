import type { Actor, Outcome, SessionView } from "@askbox/core";
import { outcomeTextOf } from "@askbox/inbox/text";
import { expect, test } from "vitest";
import { outcomeSentence } from "../../apps/askbox/src/text/outcome-text.ts";
import { settledBody } from "../../apps/tui/src/rows/session-rows.ts";
import { sessionMarkdown } from "../../apps/web/src/history/export.tsx";
import { en } from "../../apps/web/src/i18n/en.ts";
import { enLater } from "../../apps/web/src/i18n/en-later.ts";
import { createFormats } from "../../apps/web/src/i18n/formats.ts";
import { createTranslate } from "../../apps/web/src/i18n/translate.ts";
import { outcomeTitle } from "../../apps/web/src/session/outcome.tsx";
import { endingOf } from "../../packages/reach/chat/src/words.ts";
import { eventNotice } from "../../packages/reach/notify/src/notice.ts";

/** How 42 sessions ended, as each surface says it. One sentence: a surface may put the time after it and a full stop, and words it in no other way. */

const at = Date.UTC(2026, 10, 28, 12);
const now = at + 240_000;

const approval = {
  id: "q",
  type: "approval",
  question: "May I?",
  action: { kind: "command", command: "git push" },
  grants: [{ value: "project", label: "Allow in this project" }],
} as const;
const plan = { ...approval, action: { kind: "plan", text: "Drop the table." }, grants: [] } as const;
const confirm = { id: "q", type: "confirm", question: "Deploy?" } as const;

/** What is asked of a session that ends like this. */
function questionOf(kind: string): object {
  if (kind === "approved" || kind === "kept planning") return plan;
  return ["allowed", "allowed for", "denied"].includes(kind) ? approval : confirm;
}

/** A session that ended by `by`, where `kind` says how. */
function ended(kind: string, by: Actor): SessionView {
  const answered = (value: string): Outcome => ({ kind: "answered", answers: [{ questionId: "q", values: [value] }], by, at });
  const outcomes: Readonly<Record<string, Outcome>> = {
    answered: answered("yes"),
    allowed: answered("allow"),
    approved: answered("allow"),
    "kept planning": answered("deny"),
    "allowed for": answered("project"),
    denied: answered("deny"),
    declined: { kind: "cancelled", by, at },
    withdrawn: { kind: "cancelled", by: { surface: "asker" }, at },
    "timed out": { kind: "timedOut", by: { surface: "deadline" }, at },
    replied: { kind: "timedOut", by: { surface: "deadline" }, at },
  };
  const outcome = outcomes[kind];
  return {
    id: "s000000000000000",
    revision: 2,
    status: outcome === undefined ? "pending" : outcome.kind === "timedOut" ? "timed_out" : outcome.kind,
    asker: { client: { name: "claude-code" } } as SessionView["asker"],
    questions: [questionOf(kind)] as SessionView["questions"],
    createdAt: at - 60_000,
    deadlineAt: at + 60_000,
    closedAt: outcome === undefined ? null : at,
    delivery: { deliveredAt: null },
    presence: { asker: "attached", openIn: [] },
    ...(outcome !== undefined && { outcome }),
    ...(kind === "replied" && { reply: { answers: [{ questionId: "q", values: ["yes"] }], by, at } }),
  };
}

const people: readonly Actor[] = [
  { surface: "web", name: "Ada" },
  { surface: "terminal" },
  { surface: "cli", name: "grace" },
  { surface: "client", name: "claude-code" },
  { surface: "api" },
  { surface: "telegram", name: "Ada L." },
  { surface: "constructor", name: "Eve" },
];
const grant = { surface: "grant", name: "g_7k2m" };
const sessions = [
  ...["answered", "allowed", "denied", "declined", "replied"].flatMap((kind) => people.map((by) => ended(kind, by))),
  ended("approved", { surface: "web", name: "Ada" }),
  ended("kept planning", { surface: "terminal" }),
  ended("allowed for", { surface: "web", name: "Ada" }),
  ended("allowed", grant),
  ended("withdrawn", { surface: "asker" }),
  ended("timed out", { surface: "deadline" }),
  ended("open", { surface: "asker" }),
];

const t = createTranslate("en", { ...en, ...enLater });
const formats = createFormats("en");
const isolates = /[\u2068\u2069]/g;

const surfaces: Readonly<Record<string, (session: SessionView) => string>> = {
  terminal: (session) => {
    const rows = settledBody({ session, unsent: undefined, now, width: 200, plain: true, copyKey: "c" }).rows;
    return (rows[0] ?? []).map(({ text }) => text).join("");
  },
  command: (session) => outcomeSentence(session, now) ?? "",
  chat: endingOf,
  notification: (session) => eventNotice({ id: "e", type: "session.settled", at, session }, { showText: false }).body,
  export: (session) => sessionMarkdown(session, t, formats).split("\n")[2] ?? "",
  web: (session) => outcomeTitle(t, session, false).replace(isolates, ""),
};

test("how 42 sessions ended is said in one way on six surfaces", async () => {
  expect(sessions).toHaveLength(42);
  const told = sessions.map((session) => {
    const sentence = outcomeTextOf(session, (text) => text);
    const lines = Object.entries(surfaces).map(([surface, say]) => `  ${surface.padEnd(12)} ${say(session)}`);
    return [sentence, ...lines].join("\n");
  });
  await expect(`${told.join("\n\n")}\n`).toMatchFileSnapshot("outcomes.txt");
});

test.each(Object.entries(surfaces))("%s says the sentence that the others say", (surface, say) => {
  const settled = sessions.filter(({ status }) => status !== "pending");
  for (const session of settled) {
    // A text file marks what Markdown would read as markup.
    const said = surface === "export" ? say(session).replaceAll("\\", "") : say(session);
    expect(said).toContain(outcomeTextOf(session, (text) => text));
  }
});
