import type { AskInput, SessionView } from "@askbox/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { flaws } from "./support/flaws.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

const { hub, enter } = webSuite();

/** Asks, opens the session in a browser, and returns what a test needs. */
async function opened(input: AskInput, options: Parameters<typeof enter>[0] = {}) {
  const id = await hub().ask(input);
  const { page, context } = await enter(options);
  await page.locator(`[data-session="${id}"]`).click();
  await page.locator(".question").first().waitFor();
  return { id, page, context, send: page.getByTestId("primary") };
}

async function settled(id: string, page: Page): Promise<SessionView> {
  await page.getByTestId("outcome").waitFor();
  return until(async () => {
    const session = await hub().view(id);
    return session.status === "pending" ? undefined : session;
  }, "the outcome at the hub");
}

async function answers(id: string, page: Page) {
  const { outcome } = await settled(id, page);
  return outcome?.kind === "answered" ? outcome.answers.map(({ questionId: _, ...answer }) => answer) : outcome;
}

const four: AskInput = {
  title: "A new module",
  questions: [
    { id: "name", question: "What should it be called?", type: "text", placeholder: "a short noun" },
    {
      id: "db",
      question: "Which database?",
      type: "select",
      header: "Storage",
      options: [{ label: "SQLite", description: "One file.", recommended: true }, "Postgres"],
    },
    { id: "os", question: "Which platforms?", type: "multi-select", options: ["Linux", "macOS", "Windows"] },
    { id: "ok", question: "May it replace the old one?", type: "confirm" },
    { id: "why", question: "Anything else?", type: "text", required: false },
  ],
};

test("questions of every type are answered one at a time, reviewed and sent, by pointer and by keys, or declined with a reason; digits choose outside text fields and are text inside", async () => {
  const { id, page, send } = await opened(four);
  expect(await page.locator("input:checked").count()).toBe(0);
  expect(await page.getByPlaceholder("a short noun").inputValue()).toBe("");
  await page.getByRole("textbox", { name: "What should it be called?" }).focus();
  await page.keyboard.type("lathe 2");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("or mill");
  await send.click();
  await page.getByText("Storage").waitFor();
  expect(await page.locator("input:checked").count()).toBe(0);
  await page.getByRole("radio", { name: "Postgres" }).check();
  await send.click();
  await page.getByRole("checkbox", { name: "Linux" }).check();
  await page.getByRole("checkbox", { name: "macOS" }).check();
  await send.click();
  await page.getByRole("radio", { name: "Yes" }).check();
  await page.getByRole("button", { name: "Add a note" }).click();
  await page.getByRole("textbox", { name: "Note on this question" }).fill("after the release");
  await send.click();
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await page.getByRole("heading", { name: "Review" }).waitFor();
  expect(await page.locator(".answers dd").allInnerTexts()).toEqual([
    "lathe 2\nor mill",
    "Postgres",
    "Linux, macOS",
    "Yes\nNote: after the release",
    "Skipped",
  ]);
  await page.getByRole("button", { name: /Change.*Storage/ }).click();
  const [sqlite, postgres] = [page.getByRole("radio", { name: "SQLite" }), page.getByRole("radio", { name: "Postgres" })];
  for (const [key, radio] of [
    ["1", sqlite],
    ["2", postgres],
    ["r", sqlite],
  ] as const) {
    await page.keyboard.press(key);
    expect(await radio.isChecked()).toBe(true);
  }
  await page.keyboard.press("Control+Enter");
  await page.getByText("Which platforms?").waitFor();
  for (const key of ["1", "3", "4"]) await page.keyboard.press(key);
  const other = page.getByRole("textbox", { name: "Your own answer" });
  await until(() => other.evaluate((element) => element === document.activeElement), "the focus in Other");
  await page.keyboard.type("1 more");
  await page.keyboard.press("Enter");
  await page.getByText("May it replace the old one?").waitFor();
  for (const key of ["2", "1", "Control+Enter"]) await page.keyboard.press(key);
  await page.getByText("Anything else?").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Review" }).waitFor();
  await page.getByRole("button", { name: "Add a comment" }).click();
  await page.getByRole("textbox", { name: "Comment on the whole set" }).fill("Good plan.");
  await send.click();
  expect(await answers(id, page)).toEqual([
    { values: ["lathe 2\nor mill"] },
    { values: ["SQLite"] },
    { values: ["macOS", "Windows"], customText: "1 more" },
    { values: ["yes"], note: "after the release" },
    { values: [] },
  ]);
  expect((await hub().view(id)).outcome).toMatchObject({ comment: "Good plan.", by: { surface: "web" } });
  await page.getByText("Answer sent").waitFor();

  const declined = await hub().ask(four);
  await page.locator(`[data-session="${declined}"]`).click();
  await page.getByRole("button", { name: "No limit" }).click();
  await page.getByText("No deadline").first().waitFor();
  await page.getByRole("button", { name: "Decline…" }).click();
  await page.getByRole("textbox", { name: "Reason (optional)" }).fill("ask me tomorrow");
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await until(async () => (await hub().view(declined)).status === "cancelled", "the question to be declined");
  expect((await hub().view(declined)).outcome).toMatchObject({ kind: "cancelled", reason: "ask me tomorrow" });
});

test("on one page, which is accessible, a missing answer is reported next to its question, which gets the focus", async () => {
  const { id, page, send } = await opened(four, { settings: { layout: "page" } });
  expect(await page.locator(".question").count()).toBe(5);
  await page.getByRole("textbox", { name: "What should it be called?" }).fill("lathe");
  await send.click();
  await page.locator('[data-question="db"] .error').getByText("Please answer this question.").waitFor();
  await until(
    () => page.evaluate(() => document.activeElement?.closest("[data-question]")?.getAttribute("data-question") === "db"),
    "the focus",
  );
  expect((await hub().view(id)).status).toBe("pending");
  expect(await flaws(page, "one page with errors")).toEqual([]);
  await page.getByRole("radio", { name: "SQLite" }).check();
  await page.getByRole("checkbox", { name: "macOS" }).check();
  await page.getByRole("radio", { name: "No" }).check();
  await send.click();
  expect(await answers(id, page)).toEqual([
    { values: ["lathe"] },
    { values: ["SQLite"] },
    { values: ["macOS"] },
    { values: ["no"] },
    { values: [] },
  ]);
});

test("Enter in an input method neither sends nor continues, and Submit stays visible", async () => {
  const city: AskInput = { questions: [{ question: "Which city?", type: "select", options: ["Berlin"] }] };
  const { id, page, context, send } = await opened(city);
  await page.getByRole("radio", { name: "Other" }).check();
  const other = page.getByRole("textbox", { name: "Your own answer" });
  await other.focus();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Input.imeSetComposition", { text: "とうきょう", selectionStart: 5, selectionEnd: 5 });
  await cdp.send("Input.dispatchKeyEvent", { type: "rawKeyDown", windowsVirtualKeyCode: 229, key: "Enter", code: "Enter" });
  await cdp.send("Input.dispatchKeyEvent", { type: "keyUp", windowsVirtualKeyCode: 229, key: "Enter", code: "Enter" });
  await until(async () => (await other.inputValue()) === "とうきょう", "the text being composed");
  await cdp.send("Input.insertText", { text: "東京" });
  await until(async () => (await other.inputValue()) === "東京", "the composed text");
  expect((await hub().view(id)).status).toBe("pending");
  expect(await send.isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  expect(await answers(id, page)).toEqual([{ values: [], customText: "東京" }]);
});

// promise: markdown-to-elements, question-text-inert, screen-safe-from-agent-text, text-cleaned-at-boundary
test("hostile markdown and hostile names are shown as text", async () => {
  const attack = [
    '<img src=x onerror="window.stolen=1"> <script>window.stolen=2</script> <b>unclosed',
    "[a link](javascript:window.stolen=3) [another](data:text/html,x) [good](https://example.com/) [mail](mailto:ada@example.com)",
    "![pixel](https://tracker.example/p.png) <a href=javascript:alert(1)>x</a>",
    "<style>body{display:none}</style> \u202Egnidaelsim",
  ].join("\n\n");
  const input: AskInput = {
    title: "<img src=x onerror=window.stolen=4>\u202E",
    questions: [
      {
        question: attack,
        type: "select",
        header: "<i>chip</i>",
        options: [{ label: "<img src=x onerror=window.stolen=5>", description: attack, preview: attack }, "B"],
      },
    ],
  };
  const { page } = await opened(input, { viewport: { width: 1_000, height: 800 } });
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(hub().url)) elsewhere.push(request.url());
  });
  await page.getByRole("button", { name: /Preview/ }).click();
  await page.getByText('<img src=x onerror="window.stolen=1">').first().waitFor();
  expect(await page.locator(".session :is(img, script, style, b, i, iframe, object)").count()).toBe(0);
  const links = await page.locator(".question a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect([...new Set(links)]).toEqual(["https://example.com/", "mailto:ada@example.com"]);
  const good = page.locator('.question a[href^="https"]').first();
  expect(await good.textContent()).toBe("good (example.com)");
  expect([await good.getAttribute("target"), await good.getAttribute("rel")]).toEqual(["_blank", expect.stringContaining("noreferrer")]);
  expect(await page.locator(".question").first().textContent()).toContain("pixel");
  expect(await page.evaluate(() => "stolen" in window)).toBe(false);
  expect(elsewhere).toEqual([]);
});
