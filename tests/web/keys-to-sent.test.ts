import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskInput } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const fruit = { id: "fruit", question: "Which fruit?", type: "select" as const, options: ["Apple", "Pear", "Plum"], allowOther: false };
const three = ["First", "Second", "Third"].map((question, index) => ({ ...fruit, id: `q${index}`, question }));

/** The questions in the rows of the table in docs/web.md. */
const asks: Readonly<Record<string, AskInput>> = {
  "One of several options": { questions: [fruit] },
  "Yes or no": { questions: [{ id: "sure", question: "Delete it?", type: "confirm" }] },
  "Several of several options": { questions: [{ ...fruit, type: "multi-select" }] },
  "A rating": { questions: [{ id: "rating", question: "How good is it?", type: "rating", max: 5 }] },
  "A number": { questions: [{ id: "number", question: "How many?", type: "number" }] },
  "A text": { questions: [{ id: "name", question: "What is it called?", type: "text" }] },
  "Three choices in one set": { questions: three },
};

/** The rows of the table: the keys and the clicks to a sent answer, with send on pick off and on. */
function documentedRows() {
  const page = readFileSync(join(import.meta.dirname, "../../docs/web.md"), "utf8");
  const [, table = ""] = page.split("<!-- keys to sent -->");
  const rows = [...table.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*) \| ([^|]*) \| (\d) \| (\d) \|$/gm)];
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
async function press(page: Page, key: string): Promise<void> {
  const before = await page.locator(".session").evaluateAll(([form]) => form?.textContent ?? "");
  if (key === "its letters") return page.keyboard.type("lathe");
  if (key === "its digits") return page.keyboard.type("12");
  await page.keyboard.press(key.replace("Ctrl ", "Control+"));
  await until(
    async () => (await page.locator(".session").textContent()) !== before || (await page.locator("input:checked").count()) > 0,
    key,
  );
}

/** Waits for the answer to be sent, and returns to the list. */
async function arrives(page: Page, id: string): Promise<void> {
  await until(() => isSent(id), "the answer sent");
  hub().skip(3_000);
  await until(async () => (await hub().view(id)).status === "answered", "the answer");
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
    const { page } = await enter({ settings: { sendOnPick } });
    for (const row of rows) {
      const { keys, clicks } = row[mode];
      const input = asks[row.ask] as AskInput;
      const byKeys = await hub().ask(input);
      await page.locator(`[data-session="${byKeys}"]`).waitFor();
      for (const [index, key] of keys.entries()) {
        expect(await isSent(byKeys), `${row.ask}: sent before ${key}`).toBe(false);
        if (index === keys.length - 1) await page.keyboard.press(key.replace("Ctrl ", "Control+"));
        else await press(page, key);
      }
      await arrives(page, byKeys);

      const byClicks = await hub().ask(input);
      let count = 0;
      const click = async (selector: string) => {
        await page.locator(selector).first().click();
        count += 1;
      };
      await click(`[data-session="${byClicks}"]`);
      for (const question of input.questions) {
        const card = `[data-question="${question.id}"]`;
        await page.locator(card).waitFor();
        if (question.type === "text") await page.keyboard.type("lathe");
        else if (question.type === "number") await page.keyboard.type("12");
        else await click(`${card} .option label`);
        if (question.type === "multi-select") await click(`${card} .option:last-of-type label`);
        const isPicked = question.type === "select" || question.type === "confirm" || question.type === "rating";
        if (!sendOnPick || !isPicked) await click("[data-testid=primary]");
      }
      if (input.questions.length > 1) {
        await page.locator(".review").waitFor();
        await click("[data-testid=primary]");
      }
      await arrives(page, byClicks);
      expect([row.ask, count]).toEqual([row.ask, clicks]);
    }
    await page.close();
  }
});
