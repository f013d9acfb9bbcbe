import { describe, expect, it } from "vitest";
import { goTo } from "./support/browser.ts";
import { addPast, type PastSession } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();
const day = 86_400_000;

/** Noon, so that neither the time of the run nor the time of year changes the date. */
function noon(daysAgo: number): number {
  const date = new Date();
  date.setDate(date.getDate() - daysAgo);
  return date.setHours(0, 0, 1, 0);
}

function past(daysAgo: number, more: Partial<PastSession> = {}): PastSession {
  return {
    input: { questions: [{ id: "q", type: "confirm", question: "Go on?" }] },
    project: "/home/ada/engine",
    askedAt: noon(daysAgo),
    ended: { kind: "answered", answers: [{ questionId: "q", values: ["yes"] }] },
    ...more,
  };
}

async function openNumbers() {
  const { page } = await enter();
  await goTo(page, "/numbers");
  await page.getByRole("heading", { name: "Numbers" }).waitFor();
  return page;
}

describe("the statistics page", () => {
  it("says so if there is nothing to count", async () => {
    const page = await openNumbers();
    await page.getByText("Nothing to count in this time").waitFor();
    expect(await page.locator("svg[role=img]").count()).toBe(0);
  });

  it("counts how questions ended, how long answers took, and who asked", async () => {
    const { store } = hub();
    for (const after of [5_000, 20_000, 40_000, 90_000, 900_000]) await addPast(store, past(1, { after }));
    await addPast(store, past(2, { client: "codex", project: "/home/ada/ledger", ended: { kind: "cancelled" } }));
    await addPast(store, past(2, { client: "codex", ended: { kind: "timedOut" } }));
    await addPast(store, past(2, { client: "codex", ended: { kind: "withdrawn" } }));
    const page = await openNumbers();
    const tiles = page.locator(".tiles");
    await tiles.waitFor();
    const text = await tiles.textContent();
    expect(text).toMatch(/Asked\s*8in/);
    expect(text).toMatch(/Answered\s*63%/);
    expect(text).toMatch(/Median response40 s90th percentile 15 min/);

    const days = page.getByRole("figure", { name: "How questions ended" });
    await days.getByText("Show as a table").click();
    const cells = await days.getByRole("row").allInnerTexts();
    expect(cells.map((row) => row.split("\t").slice(1).join(" "))).toEqual([
      "Answered Cancelled Withdrawn Timed out",
      "5 0 0 0",
      "0 1 1 1",
    ]);
    expect(await days.locator("rect.plot-mark").count()).toBe(4);
    const times = page.getByRole("figure", { name: "Time to answer" });
    await times.getByText("Show as a table").click();
    expect((await times.getByRole("row").allInnerTexts()).slice(1).map((row) => row.split("\t")[1])).toEqual([
      "1",
      "1",
      "1",
      "1",
      "0",
      "0",
      "1",
      "0",
    ]);
    const agents = page.getByRole("region", { name: "By agent" });
    expect(await agents.getByRole("row").nth(1).textContent()).toBe("Claude CodeAnswered: 5540 s");
    expect(await agents.getByRole("row").nth(2).textContent()).toBe("CodexCancelled: 1, Withdrawn: 1, Timed out: 13–");
    expect(await page.getByRole("region", { name: "By project" }).getByRole("row").count()).toBe(3);
  });

  it("uses the chosen period, and loads more for a longer one", async () => {
    await addPast(hub().store, past(3));
    await addPast(hub().store, past(20));
    await addPast(hub().store, past(80));
    await addPast(hub().store, past(0, { askedAt: Date.now() - 200 * day }));
    const page = await openNumbers();
    const asked = page.locator(".tile-value").first();
    await expect.poll(() => asked.textContent()).toBe("2");
    await page.getByRole("radio", { name: "90 days" }).check();
    await expect.poll(() => asked.textContent()).toBe("3");
    await page.getByRole("radio", { name: "7 days" }).check();
    await expect.poll(() => asked.textContent()).toBe("1");
  });

  it("describes each plot in words, and shows the day under the pointer in numbers", async () => {
    await addPast(hub().store, past(0, { askedAt: noon(0), after: 1_000 }));
    await addPast(hub().store, past(1, { after: 30_000 }));
    await addPast(hub().store, past(1, { after: 30_000 }));
    const page = await openNumbers();
    const plot = page.getByRole("img", { name: /How questions ended\. 100% were answered\. The busiest day was .*, with 2\./ });
    const box = await plot.boundingBox();
    if (box === null) throw new Error("The plot is not on the page.");
    await page.mouse.move(box.x + box.width - 30, box.y + 100);
    expect(await page.locator(".legend").textContent()).toMatch(/Answered\s*1/);
  });
});
