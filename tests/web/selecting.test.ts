import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violations } from "./support/looks.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

async function asked(count: number, timeout = 600_000): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const questions = [{ id: "q", question: `Delete file ${index}?`, type: "confirm" as const }];
    ids.push(await hub().ask({ questions, timeout: timeout + index * 10_000 }));
  }
  return ids;
}
const rows = (page: Page, count: number) => until(async () => (await page.locator(".row").count()) === count, `${count} rows`);

describe("several questions", () => {
  it("are selected with x and declined together with one reason, after a time to undo it", async () => {
    const ids = await asked(4);
    const { page } = await enter({ settings: { undoSeconds: 3 } });
    await rows(page, 4);
    for (const key of ["j", "x", "j", "x", "j", "x", "x"]) await page.keyboard.press(key);
    await page.getByText("2 selected").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("d");
    await page.getByRole("dialog", { name: "Decline these 2 questions?" }).waitFor();
    await page.keyboard.type("not today");
    await page.getByRole("button", { name: "Decline 2 questions" }).click();
    await rows(page, 2);
    await page.getByText(/^Declines 2 questions in/).waitFor();
    for (const id of ids) expect((await hub().view(id)).status).toBe("pending");
    await until(async () => (await hub().view(ids[1] ?? "")).status === "cancelled", "the second to be declined");
    await until(async () => (await hub().view(ids[0] ?? "")).status === "cancelled", "the first to be declined");
    expect((await hub().view(ids[0] ?? "")).outcome).toMatchObject({ kind: "cancelled", reason: "not today", by: { surface: "web" } });
    for (const id of ids.slice(2)) expect((await hub().view(id)).status).toBe("pending");
  });

  it("return with u while there is time", async () => {
    const ids = await asked(2);
    const { page } = await enter({ settings: { undoSeconds: 60 } });
    await rows(page, 2);
    await page.keyboard.press("j");
    await page.keyboard.press("d");
    await page.getByRole("dialog", { name: "Decline this question?" }).waitFor();
    await page.getByRole("button", { name: "Decline the question" }).click();
    await rows(page, 1);
    await page.keyboard.press("u");
    await rows(page, 2);
    await page.getByText(/^Declines/).waitFor({ state: "detached" });
    for (const id of ids) expect((await hub().view(id)).status).toBe("pending");
  });

  it("are declined at once when the page is left, and an open one is declined with d alone", async () => {
    const [first = "", second = ""] = await asked(2);
    const { page } = await enter({ settings: { undoSeconds: 60 } });
    await rows(page, 2);
    await page.keyboard.press("j");
    await page.keyboard.press("d");
    await page.getByRole("button", { name: "Decline the question" }).click();
    await rows(page, 1);
    await page.keyboard.press("h");
    await until(async () => (await hub().view(first)).status === "cancelled", "the question to be declined");
    expect((await hub().view(second)).status).toBe("pending");
  });

  it("can also be selected with the pointer, and deselected with Escape", async () => {
    await asked(3);
    const { page } = await enter();
    await rows(page, 3);
    await page.getByRole("button", { name: "Order and view" }).click();
    await page.getByRole("button", { name: "Select several" }).click();
    await page.getByRole("checkbox", { name: "Select Delete file 1?" }).check();
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });
});

describe("a snoozed question", () => {
  it("is hidden for a time within its deadline, across a reload, and returns", async () => {
    const [first = ""] = await asked(2, 1_200_000);
    const { page } = await enter({ own: true });
    await rows(page, 2);
    await page.clock.install();
    await page.reload();
    await rows(page, 2);
    await page.keyboard.press("j");
    await page.keyboard.press("z");
    await page.getByRole("dialog", { name: "Snooze this question" }).waitFor();
    expect(await violations(page)).toEqual([]);
    // Twenty minutes allow fifteen, but not an hour.
    expect(await page.locator(".snooze-choices button").allInnerTexts()).toEqual([
      "For 5 min",
      "For 15 min",
      expect.stringMatching(/^Until shortly before its deadline, for 1[78] min$/),
    ]);
    await page.getByRole("button", { name: "For 5 min" }).click();
    await rows(page, 1);
    await until(async () => (await page.title()) === "(1) askbox", "the count without it");
    await page.reload();
    await rows(page, 1);
    await page.getByRole("button", { name: "Snoozed (1)" }).click();
    await rows(page, 2);
    await page.getByRole("button", { name: "Snoozed (1)" }).click();
    await rows(page, 1);
    await page.clock.fastForward(301_000);
    await rows(page, 2);
    await until(async () => (await page.getByTestId("arrivals").textContent()) === "Back from snooze: Delete file 0?", "it is said");
    expect(await page.locator(`[data-session="${first}"]`).count()).toBe(1);
  });

  it("returns before its end, and with u", async () => {
    await asked(1, 600_000);
    const { page } = await enter({ own: true });
    await rows(page, 1);
    await page.clock.install();
    await page.reload();
    await rows(page, 1);
    await page.keyboard.press("j");
    await page.keyboard.press("z");
    await page.getByRole("button", { name: /^Until shortly before/ }).click();
    await page.getByText(/^1 question snoozed until/).waitFor();
    await rows(page, 0);
    await page.keyboard.press("u");
    await rows(page, 1);
    await page.keyboard.press("j");
    await page.keyboard.press("z");
    await page.getByRole("button", { name: /^Until shortly before/ }).click();
    await rows(page, 0);
    // Two minutes before its end.
    await page.clock.fastForward(470_000);
    await rows(page, 0);
    await page.clock.fastForward(15_000);
    await rows(page, 1);
  });
});
