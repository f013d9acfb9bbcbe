import { parseAsk, standardPlatform } from "@askbox/core";
import { expect, test } from "vitest";
import { flaws, sameNames } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();

const conversation = "5f0c1b2a-0000-4000-8000-123456789abc";
const asked = (question: string) => parseAsk({ title: question, questions: [{ question }] }, { ids: standardPlatform(globalThis).ids });

const background = { said: "**Both** work. <b>So</b>", steps: ["Bash: npm test"], changes: ` a.ts | ${"+".repeat(200)}` };

test("the agents are listed with what they do, and by keyboard one that waits gets a message at once, and one that has gone with its next call", async () => {
  const asker = hub().broker.asker("agents");
  const gone = { client: { name: "claude-code" }, project: "/home/ada/engine", branch: "<b>main</b>", conversation };
  const first = await asker.ask(asked("Blue or green?"), { asker: gone, maxWait: 0 });
  await hub().desk().cancel(first.session.id);
  asker.close();
  hub().skip(3_600_000);
  const waiting = hub()
    .broker.asker("agents")
    .ask(asked("Which database?"), { asker: { client: { name: "codex-mcp-client" }, project: "/home/ada/site", background } });
  const { page } = await enter();
  await page.locator(".row").first().waitFor();
  await page.keyboard.press("Shift+A");
  const rows = page.getByTestId("agent");
  await rows.nth(1).waitFor();
  const texts = async () => (await rows.allTextContents()).map((text) => text.replace(/[\u2068\u2069]/g, ""));
  const isUnder = (at: number) =>
    expect.poll(() => rows.nth(at).evaluate((row) => row === document.activeElement && getComputedStyle(row).outlineStyle)).toBe("solid");
  // The first has the cursor at once, and shows it.
  await isUnder(0);
  expect(await texts()).toEqual([
    expect.stringMatching(/^Waits for youfor .*CodexsiteWhich database\?Write to it/),
    expect.stringMatching(
      /^Gonefor .*Claude Codeengine · <b>main<\/b>Blue or green\?cancelledCopy resume command: .*claude --resume 5f0c1b2a/,
    ),
  ]);
  expect(await flaws(page, "agents")).toEqual([]);
  expect(await sameNames(page)).toEqual([]);
  for (const [at, words] of ["Use SQLite.", "And update the docs."].entries()) {
    await isUnder(at);
    expect(
      await page
        .getByTestId("agents")
        .locator("kbd")
        .evaluateAll((all) => all.map((key) => key.checkVisibility({ visibilityProperty: true }))),
    ).toEqual([0, 1].map((row) => row === at));
    await page.keyboard.press("i");
    await page.keyboard.type(words);
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Your message to the agent").waitFor({ state: "detached" });
    await isUnder(at);
    await page.keyboard.press("j");
  }
  await rows
    .nth(1)
    .getByText(/^To resume its conversation/)
    .waitFor();
  await page.keyboard.press("g");
  await isUnder(0);
  await page.keyboard.press("Shift+G");
  await isUnder(1);
  await page.keyboard.press("k");
  await isUnder(0);
  const details = page.getByTestId("background");
  await page.keyboard.press("?");
  await page.getByRole("dialog").locator(".keys").first().getByText("Write to it").waitFor();
  await page.keyboard.press("Escape");
  await isUnder(0);
  await page.keyboard.press("Enter");
  await details.getByText("What the agent was doing").click();
  await expect.poll(() => details.textContent()).toMatch(/Both work\. <b>So<\/b>.*Bash: npm test.*a\.ts/);
  expect(await flaws(page, "background")).toEqual([]);
  await page.goBack();
  // Pressing a row opens it, wherever it is pressed.
  await rows.nth(1).click({ position: { x: 10, y: 10 } });
  await page.getByRole("heading", { level: 1, name: "Blue or green?" }).waitFor();
  await page.goBack();
  expect((await waiting).session.thread.map(({ text }) => text)).toEqual(["Use SQLite."]);
  await rows.nth(1).getByText("1 message not delivered yet").waitFor();
  const { earlier } = await hub().broker.asker("agents").collect(gone);
  expect(earlier.flatMap(({ thread }) => thread.map(({ text }) => text))).toEqual(["And update the docs."]);
});
