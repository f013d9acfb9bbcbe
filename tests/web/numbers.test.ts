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
  it("uses the chosen period, describes each plot in words, and shows the day under the pointer in numbers", async () => {
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

    await addPast(hub().store, past(0, { askedAt: noon(0), after: 1_000 }));
    await addPast(hub().store, past(1, { after: 30_000 }));
    await addPast(hub().store, past(1, { after: 30_000 }));
    await page.reload();
    const plot = page.getByRole("img", { name: /How questions ended\. 100% were answered\. The busiest day was .*, with 2\./ });
    const marks = page.getByRole("figure", { name: "How questions ended" }).locator("rect.plot-mark");
    await expect.poll(() => marks.count()).toBe(4);
    const box = await plot.boundingBox();
    if (box === null) throw new Error("The plot is not on the page.");
    await page.mouse.move(box.x + box.width - 30, box.y + 100);
    expect(await page.locator(".legend").textContent()).toMatch(/Answered\s*1/);
  });
});
