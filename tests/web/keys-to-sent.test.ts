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
  "A text": { questions: [{ id: "name", question: "What is it called?", type: "text" }] },
  "Three choices in one set": { questions: three },
};

interface Row {
  ask: string;
  keys: string[];
  keysOnPick: string[];
  clicks: number;
  clicksOnPick: number;
}

function documentedRows(): Row[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/web.md"), "utf8");
  const [, table = ""] = page.split("<!-- keys to sent -->");
  const rows = [...table.matchAll(/^\| ([A-Z][^|]*) \| ([^|]*) \| ([^|]*) \| (\d) \| (\d) \|$/gm)];
  const keysIn = (cell = "") => [...cell.matchAll(/`([^`]+)`|its letters/g)].map(([whole, key]) => key ?? whole);
  return rows.map(([, ask = "", keys, onPick, clicks, clicksOnPick]) => ({
    ...{ ask, keys: keysIn(keys), keysOnPick: keysIn(onPick) },
    ...{ clicks: Number(clicks), clicksOnPick: Number(clicksOnPick) },
  }));
}

const rows = documentedRows();
/** The answer is being sent, or has arrived. */
const isSent = async (id: string) =>
  (await hub().view(id)).status !== "pending" || (await hub().desk().getDraft(id))?.scheduled !== undefined;

/** A different question is shown after each key that leads to one. */
async function press(page: Page, key: string): Promise<void> {
  const before = await page.locator(".session").evaluateAll(([form]) => form?.textContent ?? "");
  if (key === "its letters") return page.keyboard.type("lathe");
  await page.keyboard.press(key.replace("Ctrl ", "Control+"));
  await until(
    async () => (await page.locator(".session").textContent()) !== before || (await page.locator("input:checked").count()) > 0,
    key,
  );
}

test("the table has a row for each kind of question", () => {
  expect(rows.map(({ ask }) => ask)).toEqual(Object.keys(asks));
});

for (const { ask, keys, keysOnPick, clicks, clicksOnPick } of rows) {
  test(`${ask}: the documented keys open it and send it, and no fewer do`, async () => {
    for (const [sendOnPick, sequence] of [
      [false, keys],
      [true, keysOnPick],
    ] as const) {
      const id = await hub().ask(asks[ask] as AskInput);
      const { page } = await enter({ settings: { sendOnPick } });
      await page.locator(".row").first().waitFor();
      for (const [index, key] of sequence.entries()) {
        expect(await isSent(id), `sent before ${key}`).toBe(false);
        if (index === sequence.length - 1) await page.keyboard.press(key.replace("Ctrl ", "Control+"));
        else await press(page, key);
      }
      await until(() => isSent(id), "the answer sent");
      hub().skip(3_000);
      await until(async () => (await hub().view(id)).status === "answered", "the answer");
      await page.close();
    }
  });

  test(`${ask}: it takes as many clicks as documented`, async () => {
    for (const [sendOnPick, documented] of [
      [false, clicks],
      [true, clicksOnPick],
    ] as const) {
      const id = await hub().ask(asks[ask] as AskInput);
      const { page } = await enter({ settings: { sendOnPick } });
      let count = 0;
      const click = async (selector: string) => {
        await page.locator(selector).first().click();
        count += 1;
      };
      await click(`[data-session="${id}"]`);
      for (const question of asks[ask]?.questions ?? []) {
        const card = `[data-question="${question.id}"]`;
        await page.locator(card).waitFor();
        if (question.type === "text") await page.keyboard.type("lathe");
        else await click(`${card} .option label`);
        if (!sendOnPick || question.type === "text") await click("[data-testid=primary]");
      }
      if ((asks[ask]?.questions.length ?? 0) > 1) {
        await page.locator(".review").waitFor();
        await click("[data-testid=primary]");
      }
      await until(() => isSent(id), "the answer sent");
      hub().skip(3_000);
      await until(async () => (await hub().view(id)).status === "answered", "the answer");
      expect(count).toBe(documented);
      await page.close();
    }
  });
}
