import { expect, test } from "vitest";
import { phone } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

const ask = (question: string, project: string) =>
  hub().ask({ title: question, questions: [{ question }], timeout: 1_800_000 }, { project, client: "claude-code" });

test("Ctrl K goes to questions and pages, filters, snoozes, changes the theme, revokes a grant and copies, all by keyboard, or by a button on a phone", async () => {
  const id = await ask("<b>Blue</b> or green?", "/home/ada/engine");
  await ask("Which database?", "/home/ada/site");
  await hub().broker.grants.add({
    id: "grant-1",
    scope: "project",
    client: "claude-code",
    project: "/home/ada/engine",
    kind: "command",
    shown: "npm test",
    match: { type: "prefix", prefix: "npm" },
    by: { surface: "web" },
    createdAt: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  });
  const { page } = await enter({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(`[data-session="${id}"]`).waitFor();
  const field = page.getByRole("dialog").getByRole("combobox");
  const open = async (words: string) => {
    await page.keyboard.press("Control+k");
    await field.fill(words);
    return page.getByTestId("palette").getByRole("option", { selected: true });
  };
  const run = async (words: string) => {
    // What belongs to the hub, such as grants, comes a little later.
    await (await open(words)).waitFor();
    await page.keyboard.press("Enter");
  };
  const choose = async (words: string) => {
    await run(words);
    await field.waitFor({ state: "detached" });
  };
  const says = async (words: string, reply: string) => {
    await run(words);
    await page.getByRole("dialog").getByRole("status").getByText(reply).waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  };

  const found = await open("blue eng");
  await until(async () => (await found.textContent()) === "<b>Blue</b> or green?Claude Code · engine · main", "the question is found");
  expect(await flaws(page, "palette")).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/s/${id}`);
  await says("link", "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await says("snooze 1 h", "Snoozed");
  expect((await hub().view(id)).snoozedUntil).toBeGreaterThan(Date.now());
  await choose("colours: dark");
  await until(() => page.evaluate(() => document.documentElement.dataset["theme"] === "dark"), "dark colours");
  await says("revoke npm", "Revoked");
  expect(await hub().broker.grants.list()).toEqual([]);
  await choose("only site");
  await until(async () => (await page.locator("[data-session]").count()) === 1, "only the project's question");
  await choose("agents");
  await page.getByTestId("agents").waitFor();

  // Keys have a button on a phone.
  await page.setViewportSize(phone);
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("button", { name: "Go to or do anything" }).click();
  await page.getByRole("dialog").getByRole("combobox").fill("agents");
  await page.getByTestId("palette").getByRole("option").first().click();
  await page.getByTestId("agents").waitFor();
});

test("the palette begins with what can be done with the question under the cursor, by the keys that it shows, then has commands, then questions by deadline", async () => {
  const ask = (title: string, timeout: number) => hub().ask({ title, questions: [{ question: title, type: "confirm" }], timeout });
  await ask("Later?", 1_800_000);
  const first = await ask("Sooner?", 900_000);
  const { page } = await enter();
  await page.locator(`[data-session="${first}"]`).waitFor();
  await page.keyboard.press("k");
  const options = page.getByTestId("palette").getByRole("option");
  const open = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    return (await options.allTextContents()).map((text) => text.replace(/[\u2068\u2069]/g, ""));
  };
  const shown = await open();
  expect(shown.slice(0, 3)).toEqual(["OpenEnter", "Decline…d", "Snooze…z"]);
  expect(shown).toContain("Selectx");
  const at = (start: string) => shown.findIndex((text) => text.startsWith(start));
  expect([at("Selectx"), at("Keyboard shortcuts?"), at("Groups: By agent"), at("Rows: Compact"), at("Sooner?"), at("Later?")]).toEqual(
    [at("Selectx"), at("Keyboard shortcuts?"), at("Groups: By agent"), at("Rows: Compact"), at("Sooner?"), at("Later?")].toSorted(
      (a, b) => a - b,
    ),
  );
  expect(await flaws(page, "palette")).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /Decline .*Sooner/ });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await open();
  await page.keyboard.type("compact");
  await page.keyboard.press("Enter");
  await page.locator('.list[data-density="compact"]').waitFor();
  await page.locator(`[data-session="${first}"]`).click();
  await page.getByRole("radio", { name: "Yes" }).waitFor();
  await open();
  await page.keyboard.type("ask the agent");
  await page.keyboard.press("Enter");
  await page.getByLabel("What do you want to know first?").waitFor();
  // The help begins with what works where the focus was.
  await page.keyboard.press("Escape");
  await open();
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Ask the agent something first").waitFor();
});
