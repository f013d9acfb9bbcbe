import { aRan } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { goTo } from "./support/browser.ts";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();

test("what ran without a person fits a phone and a screen, in light and dark, also with a long command under the cursor", async () => {
  const now = hub().now();
  const claude = { client: "claude-code", tool: "Bash", project: "/home/ada/engine" } as const;
  await hub().broker.ran.add([
    aRan(now, { ...claude, what: "npm test", by: { kind: "grant", name: "k3f9" } }),
    aRan(now, { ...claude, kind: "edit", tool: "Edit", what: `/home/ada/${"deep/".repeat(60)}a.ts`, reach: ["writes"], failed: true }),
    aRan(now, {
      ...claude,
      what: `curl ${"https://example.com/".repeat(20)}`,
      reach: ["deletes", "network", "writes"],
      by: { kind: "model", name: "auto mode" },
    }),
  ]);
  const { page } = await enter();
  await goTo(page, "/ran");
  await page.getByTestId("ran-row").nth(2).waitFor();
  expect(await flaws(page, "ran")).toEqual([]);
  await page.keyboard.press("j");
  await page.locator("[data-peeked]").getByText("Edit").waitFor();
  expect(await flaws(page, "ran")).toEqual([]);
});
