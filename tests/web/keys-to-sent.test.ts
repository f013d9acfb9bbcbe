import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AskInput, Question } from "@askbox/core";
import { traitsOf, type Widget } from "@askbox/core/questions";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { give } from "./support/given-files.ts";
import { readIt } from "./support/read-it.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const fruit = { id: "fruit", question: "Which fruit?", type: "select" as const, options: ["Apple", "Pear", "Plum"], allowOther: false };
const three = ["First", "Second", "Third"].map((question, index) => ({ ...fruit, id: `q${index}`, question }));

const diff = "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-one\n+two\n";

/** What is typed into a question's field, if it has one. */
const wordsFor = (question: Question) =>
  (({ lines: "lathe", line: "12", date: "2026-03-05", approval: "Not now" }) as Partial<Record<Widget, string>>)[traitsOf(question).widget];

/** The questions in the rows of the table in docs/web.md. */
const asks: Readonly<Record<string, AskInput>> = {
  "One of several options": { questions: [fruit] },
  "Yes or no": { questions: [{ id: "sure", question: "Delete it?", type: "confirm" }] },
  "Several of several options": { questions: [{ ...fruit, type: "multi-select" }] },
  "A rating": { questions: [{ id: "rating", question: "How good is it?", type: "rating", max: 5 }] },
  "A number": { questions: [{ id: "number", question: "How many?", type: "number" }] },
  "A date": { questions: [{ id: "date", question: "When?", type: "date" }] },
  "A ranking as it stands": { questions: [{ ...fruit, type: "ranking" }] },
  "A ranking, its third option moved to the top": { questions: [{ ...fruit, type: "ranking" }] },
  "A file, from the clipboard": { questions: [{ id: "file", question: "What does it look like?", type: "file" }] },
  "A review without comments": { questions: [{ id: "diff", question: "Is it right?", type: "review", document: "One line." }] },
  "A command, denied": { questions: [{ id: "run", question: "May I?", type: "approval", action: { kind: "command", command: "ls" } }] },
  "A command, allowed once it was read": {
    questions: [{ id: "run", question: "May I?", type: "approval", action: { kind: "command", command: "ls" } }],
  },
  "A command, allowed always once it was read": {
    questions: [
      { id: "run", question: "May I?", type: "approval", action: { kind: "command", command: "make" }, grants: ["session", "project"] },
    ],
  },
  "A command, denied with a reason": {
    questions: [{ id: "run", question: "May I?", type: "approval", action: { kind: "command", command: "ls" } }],
  },
  "An edit, allowed once it was read": {
    questions: [{ id: "edit", question: "May I?", type: "approval", action: { kind: "edit", path: "a.ts", diff } }],
  },
  "A plan, approved once it was read": {
    questions: [{ id: "plan", question: "Is it right?", type: "approval", action: { kind: "plan", text: "Drop the table." } }],
  },
  "A text": { questions: [{ id: "name", question: "What is it called?", type: "text" }] },
  "Three choices in one set": { questions: three },
};

const isAboutAction = ({ questions }: AskInput) => questions.some((question) => traitsOf(question as Question).picks === "decision");

/** The buttons that decide about an action. */
function decidedBy(ask: string): string[] {
  if (ask.includes("always")) return [".approval-always", ".grant-menu .primary"];
  if (ask.includes("reason")) return [".deny-reason", "dialog .danger"];
  return [ask.endsWith("denied") ? ".decision .danger" : "[data-testid=primary]"];
}

/** The rows of the table: the keys and the clicks to a sent answer, with send on pick off and on. */
function documentedRows() {
  const page = readFileSync(join(import.meta.dirname, "../../docs/web.md"), "utf8");
  const [, table = ""] = page.split("<!-- keys to sent -->");
  const rows = [...table.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*) \| ([^|]*) \| ([\d–]) \| ([\d–]) \|$/gm)];
  const keysIn = (cell = "") => [...cell.matchAll(/`([^`]+)`|its (?:letters|digits)/g)].map(([whole, key]) => key ?? whole);
  return rows.map(([, ask = "", keys, keysOnPick, clicks, clicksOnPick]) => ({
    ask,
    off: { keys: keysIn(keys), clicks: Number(clicks) },
    on: { keys: keysIn(keysOnPick), clicks: Number(clicksOnPick) },
  }));
}

/** The answer is being sent, or has arrived. */
const isSent = async (id: string) =>
  (await hub().view(id)).status !== "pending" || (await hub().desk().getDraft(id))?.scheduled !== undefined;

/** A different question is shown after each key that leads to one. */
async function press(page: Page, key: string, words = ""): Promise<void> {
  const before = await page.locator(".session").evaluateAll(([form]) => form?.textContent ?? "");
  if (key.startsWith("its ")) return page.keyboard.type(words);
  if (key === "↓") return page.keyboard.press("ArrowDown");
  if (key === "d") {
    await page.keyboard.press(key);
    return page.locator("dialog textarea:focus").waitFor();
  }
  // Its code is loaded when it is first opened.
  if (key === "a") {
    await page.keyboard.press(key);
    return page.locator(".grant-menu select:focus").waitFor();
  }
  // All pages of the run's browser have one clipboard.
  if (key === "Ctrl V") {
    await give(page, "paste", "pasted.png");
    return page.locator(".file-picture").waitFor();
  }
  await page.keyboard.press(key === "Y" ? "Shift+Y" : key);
  await until(
    async () => (await page.locator(".session").textContent()) !== before || (await page.locator("input:checked").count()) > 0,
    key,
  );
}

/** Waits for the answer to be sent, and returns to the list, where one already is after a reason. */
async function arrives(page: Page, id: string, hasReason: boolean): Promise<void> {
  await until(() => isSent(id), "the answer sent");
  hub().skip(3_000);
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
  if (hasReason) return page.locator(".session").waitFor({ state: "detached" });
  await page.getByTestId("outcome").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".session").waitFor({ state: "detached" });
}

test("the documented keys open a question and send it, and no fewer do; it takes as many clicks; with send on pick too", async () => {
  const rows = documentedRows();
  expect(rows.map(({ ask }) => ask)).toEqual(Object.keys(asks));
  for (const [mode, sendOnPick] of [
    ["off", false],
    ["on", true],
  ] as const) {
    const { page: usual } = await enter({ settings: { sendOnPick } });
    const { page: timed } = await enter({ settings: { sendOnPick }, clock: true });
    for (const row of rows) {
      // Where sending on pick saves nothing, the same keys were pressed without it.
      if (sendOnPick && isDeepStrictEqual(row.on, row.off)) continue;
      const input = asks[row.ask] as AskInput;
      const page = isAboutAction(input) ? timed : usual;
      const { keys, clicks } = row[mode];
      const byKeys = await hub().ask(input);
      await page.locator(`[data-session="${byKeys}"]`).waitFor();
      for (const [index, key] of keys.entries()) {
        expect(await isSent(byKeys), `${row.ask}: sent before ${key}`).toBe(false);
        // Its code may be loaded later than the page is there.
        if (index === 1)
          await page
            .locator(".session")
            .locator(":is(.option, textarea:focus, input:focus, .handle, .attach-button, [data-takes], [data-action])")
            .first()
            .waitFor();
        // An action is allowed once it was looked at, and denied by a letter that doesn't follow typed ones.
        if (page === timed && index === 1) await readIt(page);
        if (index === keys.length - 1) await page.keyboard.press(key === "Y" ? "Shift+Y" : key.replace("Ctrl ", "Control+"));
        else await press(page, key, wordsFor(input.questions[0] as Question));
      }
      const hasReason = row.ask.includes("reason");
      await arrives(page, byKeys, hasReason);

      // A browser lets no click read the clipboard. Where sending on pick saves no click, the same ones were counted without it.
      if (Number.isNaN(clicks) || (sendOnPick && clicks === row.off.clicks)) continue;
      // What was allowed always is not asked again.
      const byClicks = await hub().ask(JSON.parse(JSON.stringify(input).replace('"make"', '"make all"')));
      let count = 0;
      const click = async (selector: string) => {
        await page.locator(selector).first().click();
        count += 1;
      };
      await click(`[data-session="${byClicks}"]`);
      for (const question of input.questions) {
        const card = `[data-question="${question.id}"]`;
        await page.locator(card).waitFor();
        const { picks, widget } = traitsOf(question as Question);
        const words = wordsFor(question as Question);
        if (words !== undefined && picks !== "decision") await page.keyboard.type(words);
        else if (widget === "order") {
          const [up, keep] = [`${card} [data-option="Plum"] .up`, `${card} button:text("Keep this order")`];
          for (const selector of row.ask.includes("moved") ? [up, up] : [keep]) await click(selector);
        } else if (picks === "decision") {
          await readIt(page);
          for (const selector of decidedBy(row.ask)) await click(selector);
          continue;
        } else if (widget === "document") {
          await click("[data-testid=primary]");
          continue;
        } else await click(`${card} .option label`);
        if (picks === "many") await click(`${card} .option:last-of-type label`);
        if (!sendOnPick || picks !== "one") await click("[data-testid=primary]");
      }
      if (input.questions.length > 1) {
        await page.locator(".review").waitFor();
        await click("[data-testid=primary]");
      }
      await arrives(page, byClicks, hasReason);
      expect([row.ask, count]).toEqual([row.ask, clicks]);
    }
    await usual.close();
    await timed.close();
  }
});
