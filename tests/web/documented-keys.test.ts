import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const path = (url: string) => new URL(url).pathname;

/** The keys in the first column of docs/web.md. */
function documentedKeys(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/web.md"), "utf8");
  return [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key));
}

test("each key in docs/web.md is in the help, which ? opens", async () => {
  const { page } = await enter();
  await page.locator(".header").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  const shown = (await page.locator("dialog kbd, [role=dialog] kbd").allInnerTexts()).flatMap((key) => key.split("–"));
  const wanted = documentedKeys();
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((key) => !shown.includes(key))).toEqual([]);
});

test("j and k move along the list, or between questions while one is open; p goes back one question, 0 is the tenth option, d declines, Escape returns to the inbox", async () => {
  const ids: string[] = [];
  for (const title of ["First", "Second"]) {
    ids.push(
      await hub().ask({
        title,
        questions: [
          { id: "a", question: "Which of ten?", type: "select", options: Array.from({ length: 10 }, (_, index) => `Option ${index + 1}`) },
          { id: "b", question: "Sure?", type: "confirm" },
        ],
      }),
    );
  }
  const { page } = await enter();
  await until(async () => (await page.locator(".row").count()) === 2, "both rows");
  // Nothing opens automatically, so it doesn't count as seen.
  expect(path(page.url())).toBe("/");
  expect((await hub().view(ids[0] ?? "")).presence.openIn).toEqual([]);

  const shown = await page.locator("[data-session]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-session")));
  const isOpen = (index: number) => until(async () => path(page.url()) === `/s/${shown[index]}`, `row ${index}`);
  const isUnder = (index: number) =>
    until(
      async () => (await page.evaluate(() => document.activeElement?.getAttribute("data-session"))) === shown[index],
      `the cursor on ${index}`,
    );
  await page.keyboard.press("j");
  await isUnder(0);
  await page.keyboard.press("j");
  await isUnder(1);
  // Moving the cursor opens nothing.
  expect(path(page.url())).toBe("/");
  await page.keyboard.press("Enter");
  await isOpen(1);
  await page.keyboard.press("k");
  await isOpen(0);
  const tenth = page.getByRole("radio", { name: "Option 10", exact: true });
  await page.getByRole("heading", { name: shown[0] === ids[0] ? "First" : "Second" }).waitFor();
  await tenth.waitFor();
  await page.keyboard.press("0");
  await until(() => tenth.isChecked(), "the tenth option is picked");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Sure?").first().waitFor();
  await page.keyboard.press("p");
  await tenth.waitFor();
  await page.keyboard.press("d");
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect((await hub().view(shown[0] ?? "")).status).toBe("pending");
  await page.keyboard.press("Escape");
  await until(async () => path(page.url()) === "/", "the inbox");
});

test("when a yes-or-no question is asked again, the earlier answer is shown, and only repeated by a button", async () => {
  const input = { questions: [{ id: "q", question: "Delete it?", type: "confirm" as const }] };
  const first = await hub().ask(input, { leave: true });
  await hub()
    .desk()
    .answer(first, { answers: [{ questionId: "q", values: ["yes"] }] });
  const id = await hub().ask(input, { leave: true });
  const { page } = await enter();
  await page.locator(`[data-session="${id}"]`).click();
  await page.getByRole("button", { name: "Fill in that answer" }).waitFor();
  expect(await page.locator("input:checked").count()).toBe(0);
  await page.getByRole("button", { name: "Fill in that answer" }).click();
  await until(() => page.getByRole("radio", { name: "Yes" }).isChecked(), "yes is picked");
  expect((await hub().view(id)).status).toBe("pending");
});
