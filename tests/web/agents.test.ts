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
  await page.getByRole("link", { name: "Agents" }).click();
  const rows = page.getByTestId("agent");
  await rows.nth(1).waitFor();
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(/^Waits for youCodexsitefor .*Which database\?waiting/),
    expect.stringMatching(/^GoneClaude Codeengine · <b>main<\/b>active .*Blue or green\?cancelled.*claude --resume 5f0c1b2a/),
  ]);
  expect(await flaws(page, "agents")).toEqual([]);
  expect(await sameNames(page)).toEqual([]);
  for (const words of ["Use SQLite.", "And update the docs."]) {
    await page.keyboard.press("j");
    await page.keyboard.press("i");
    await page.keyboard.type(words);
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Your message to the agent").waitFor({ state: "detached" });
  }
  const details = page.getByTestId("background");
  await page.getByRole("link", { name: "Which database?" }).click();
  await details.getByText("What the agent was doing").click();
  await expect.poll(() => details.textContent()).toMatch(/Both work\. <b>So<\/b>.*Bash: npm test.*a\.ts/);
  expect(await flaws(page, "background")).toEqual([]);
  await page.goBack();
  expect((await waiting).session.thread.map(({ text }) => text)).toEqual(["Use SQLite."]);
  await rows.nth(1).getByText("1 message not delivered yet").waitFor();
  const { earlier } = await hub().broker.asker("agents").collect(gone);
  expect(earlier.flatMap(({ thread }) => thread.map(({ text }) => text))).toEqual(["And update the docs."]);
});
