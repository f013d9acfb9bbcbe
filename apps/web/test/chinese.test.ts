import type { AskInput } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { HistoryRow } from "../src/history/history-list.tsx";
import { SessionReader } from "../src/history/session-reader.tsx";
import { LanguageProvider } from "../src/i18n/language.tsx";
import { createTranslate, loadCatalogue, withWords } from "../src/i18n/translate.ts";
import { Peek } from "../src/inbox/peek.tsx";
import { SessionRow } from "../src/inbox/session-row.tsx";
import { AnswerPane } from "../src/session/answer-pane.tsx";
import { changeSettings } from "../src/stored-settings.ts";
import { cleansUp, opened, shown } from "./page.ts";

cleansUp();

let initial: Parameters<typeof LanguageProvider>[0]["initial"];
beforeAll(async () => {
  changeSettings({ language: "zh" });
  await withWords(async () => {});
  initial = { language: "zh", translate: createTranslate("zh", await loadCatalogue("zh")) };
  return () => changeSettings({ language: "browser" });
});

const options = ["甲", "乙", "丙"];
const action = { kind: "command" as const, tool: "工具", command: "./1 2", cwd: "/家", input: { command: "./1 2", 更多: 1 } };
/** Every type, with nothing in English from its asker. */
const asked: Record<string, AskInput["questions"][number]> = {
  text: { type: "text", question: "为什么？" },
  number: { type: "number", question: "多少？", min: 1, max: 9, integer: true },
  date: { type: "date", question: "何时？" },
  confirm: { type: "confirm", question: "继续？" },
  select: { type: "select", question: "哪个？", options },
  several: { type: "multi-select", question: "哪些？", options, minChoices: 1, maxChoices: 2 },
  rating: { type: "rating", question: "多好？" },
  ranking: { type: "ranking", question: "先后？", options },
  review: { type: "review", question: "这样好吗？", document: "# 计划\n\n一" },
  approval: { type: "approval", question: "可以吗？", action, grants: ["session", "project"], editable: true },
  plan: { type: "approval", question: "计划如何？", action: { kind: "plan", tool: "工具", text: "# 计划\n\n一" } },
};

/** What isn't translated: the names of programs, formats, and what the asker named. A plan's title comes from the core, in English. */
const names = /Claude Code|askbox|storefront|\/home\/ada\/storefront|checkout-v2|JSON|Markdown|YYYY-MM-DD|Plan: |\bmain\b/g;

/** The English words of an element, without keys and ids. */
function englishIn(element: HTMLElement, id: string): string[] {
  for (const key of element.querySelectorAll("kbd, svg")) key.remove();
  const labels = [...element.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((each) =>
    ["aria-label", "title", "placeholder"].map((name) => each.getAttribute(name) ?? ""),
  );
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [...labels];
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? "");
  return texts.flatMap(
    (text) =>
      text
        .replaceAll(id, "")
        .replace(names, "")
        .match(/[A-Za-z][A-Za-z.]+/g) ?? [],
  );
}

const inChinese = (element: Parameters<typeof createElement>[0], props: object) =>
  createElement(LanguageProvider, { initial, children: createElement(element as never, props) });

test.each(Object.keys(asked))("a question of type %s is in Chinese in the list, beside it and when it is open", async (name) => {
  const { stage, id } = await opened({ questions: [asked[name] as never] });
  const session = await stage.view(id);
  for (const [part, props] of [
    [SessionRow, { session, isOpen: false, onSelect() {} }],
    [Peek, { session }],
    [AnswerPane, { session }],
  ] as const) {
    expect(englishIn(shown(stage, inChinese(part as never, props)), id)).toEqual([]);
  }
});

test.each(Object.keys(asked))("every answer to a question of type %s is in Chinese in the history", async (name) => {
  const question = asked[name];
  const entered = { text: ["因为"], number: ["3"], date: ["2026-11-18"], ranking: ["丙", "乙", "甲"] }[name];
  const { form } = await opened({ questions: [question as never] });
  const [only] = form.getState().session.questions;
  if (only === undefined) throw new Error("There is no question.");
  const grants = "action" in only && only.grants !== undefined ? ["project:7d:./1"] : [];
  const values = entered === undefined ? [...offeredOptions(only).map(({ value }) => [value]), ...grants.map((each) => [each])] : [entered];
  const more = "action" in only && only.editable === true ? [{ values: ["allow"], input: { 更多: 2 } }] : [];
  const answers = [
    ...values.map((each) => ({ values: each })),
    ...more,
    ...("action" in only ? [{ values: ["deny"], customText: "不行" }] : []),
  ];
  for (const answer of answers) {
    const { stage, id } = await opened({ questions: [question as never] });
    await stage.broker.desk({ surface: "web" }).answer(id, { answers: [{ questionId: only.id, ...answer }] });
    const session = await stage.view(id);
    for (const part of [
      inChinese(HistoryRow as never, { session, isOpen: false }),
      inChinese(SessionReader as never, { id }),
      inChinese(AnswerPane as never, { session }),
    ]) {
      expect(englishIn(shown(stage, part), id), JSON.stringify(answer)).toEqual([]);
    }
  }
});
