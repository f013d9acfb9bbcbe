import { text } from "node:stream/consumers";
import type { SessionView } from "@askbox/core";
import { lexer, walkTokens } from "marked";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { goTo } from "./support/browser.ts";
import { addPast, type PastSession } from "./support/past.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();
const now = Date.now();
const minutes = 60_000;

const confirmed = (question: string, more: Partial<PastSession> = {}): PastSession => ({
  input: { questions: [{ id: "q", type: "confirm", question }] },
  project: "/home/ada/engine",
  branch: "main",
  askedAt: now - 60 * minutes,
  ended: { kind: "answered", answers: [{ questionId: "q", values: ["yes"] }] },
  ...more,
});

const rows = (page: Page) => page.locator(".list [data-session]");

async function download(page: Page, format: "Markdown" | "JSON", within = ".list"): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(within).getByRole("button", { name: format, exact: true }).click(),
  ]);
  // The browser may run in another process, whose files have no path here.
  return text(await file.createReadStream());
}

describe("the history", () => {
  it("loads page by page while scrolling, newest first", async () => {
    for (let index = 0; index < 130; index += 1)
      await addPast(hub().store, confirmed(`Step ${index}?`, { askedAt: now - (200 - index) * minutes }));
    const { page } = await enter();
    await page.locator(".header").getByRole("link", { name: "History" }).click();
    await rows(page).nth(49).waitFor();
    expect(await rows(page).first().textContent()).toContain("Step 129?");
    expect(await rows(page).count()).toBeLessThan(130);
    const list = page.locator(".list");
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return rows(page).count();
      })
      .toBe(130);
    expect(await rows(page).last().textContent()).toContain("Step 0?");
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  });

  it("can be searched by questions and answers, and filtered by project, agent and outcome", async () => {
    await addPast(hub().store, confirmed("Drop the table?", { project: "/home/ada/ledger" }));
    await addPast(hub().store, confirmed("Ship it?", { client: "codex", ended: { kind: "cancelled", reason: "Not on a Friday" } }));
    await addPast(hub().store, confirmed("Still there?", { ended: { kind: "timedOut" } }));
    const { page } = await enter();
    await goTo(page, "/history");
    await expect.poll(() => rows(page).count()).toBe(3);

    await page.getByRole("searchbox").fill("friday");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Ship it?")]);
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Project").selectOption("/home/ada/ledger");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Drop the table?")]);
    await page.getByLabel("Project").selectOption("");
    await page.getByLabel("Agent").selectOption("codex");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Ship it?")]);
    await page.getByLabel("Agent").selectOption("");
    await page.getByLabel("Outcome").selectOption("timed_out");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("Still there?")]);
    await page.getByLabel("Project").selectOption("/home/ada/ledger");
    await page.getByText("No past questions match.").waitFor();
  });

  it("opens a session with its answers, comment, who settled it where, and whether it was delivered", async () => {
    const id = await addPast(hub().store, {
      input: {
        title: "Two things",
        questions: [
          { id: "style", type: "select", question: "Which **style**?", options: [{ label: "Plain", value: "p" }, "Fancy"] },
          { id: "why", type: "text", question: "Why?", required: false },
        ],
      },
      client: "codex",
      project: "/home/ada/engine",
      branch: "looks",
      askedAt: now - 60 * minutes,
      after: 95_000,
      delivered: false,
      ended: { kind: "answered", answers: [{ questionId: "style", values: ["p"], note: "Mind the dark" }], comment: "Go on" },
    });
    const { page } = await enter();
    await goTo(page, `/history/${id}`);
    const reader = page.getByTestId("reader");
    await reader.waitFor();
    const text = await reader.textContent();
    for (const part of [
      "Two things",
      "Answered in the terminal by",
      "Ada",
      "Which style?",
      "Plain",
      "Note: Mind the dark",
      "Skipped",
      "Go on",
    ]) {
      expect(text).toContain(part);
    }
    for (const part of ["1 min 35 s later", "Codex", "/home/ada/engine", "looks", id, "The agent will get it when it comes back."]) {
      expect(text).toContain(part);
    }
    expect(await reader.locator("strong", { hasText: "style" }).count()).toBe(1);
  });

  it("distinguishes a timeout from the reply after it, and allows a reply to a timeout", async () => {
    const input = { questions: [{ id: "q", type: "text" as const, question: "Which port?" }] };
    const replied = { answers: [{ questionId: "q", values: ["8080"] }], comment: "Sorry, lunch" };
    const withReply = await addPast(hub().store, { input, askedAt: now - 60 * minutes, ended: { kind: "timedOut", reply: replied } });
    const without = await addPast(hub().store, { input, askedAt: now - 90 * minutes, ended: { kind: "timedOut" } });
    const { page } = await enter();
    await goTo(page, `/history/${withReply}`);
    const reply = page.getByRole("region", { name: "Reply after the deadline" });
    await reply.waitFor();
    expect(await reply.textContent()).toMatch(/8080[\s\S]*Sorry, lunch/);
    await goTo(page, `/history/${without}`);
    await page.getByRole("link", { name: "Reply now" }).click();
    await page.getByRole("textbox").first().fill("9090");
    await page.getByRole("button", { name: "Send reply" }).click();
    await expect.poll(async () => (await hub().view(without)).reply?.answers[0]?.values).toEqual(["9090"]);
  });

  it("shows newly settled sessions at once, if they match", async () => {
    await addPast(hub().store, confirmed("Old one?"));
    const { page } = await enter();
    await goTo(page, "/history");
    await expect.poll(() => rows(page).count()).toBe(1);
    const id = await hub().ask({ questions: [{ id: "q", type: "confirm", question: "New one?" }] });
    await hub()
      .desk()
      .answer(id, { answers: [{ questionId: "q", values: ["no"] }] });
    await expect.poll(() => rows(page).first().textContent()).toContain("New one?");
    await page.getByLabel("Outcome").selectOption("timed_out");
    await page.getByText("No past questions match.").waitFor();
  });

  it("is exported as JSON in the format of the command, with the whole filter result", async () => {
    for (let index = 0; index < 70; index += 1)
      await addPast(hub().store, confirmed(`Step ${index}?`, { askedAt: now - (200 - index) * minutes }));
    await addPast(hub().store, confirmed("Another?", { client: "codex" }));
    const { page } = await enter({ acceptDownloads: true });
    await goTo(page, "/history");
    await page.getByLabel("Agent").locator("option[value=claude-code]").waitFor({ state: "attached" });
    await page.getByLabel("Agent").selectOption("claude-code");
    await expect.poll(async () => (await rows(page).allInnerTexts()).some((text) => text.includes("Another?"))).toBe(false);
    const saved = JSON.parse(await download(page, "JSON")) as SessionView[];
    expect(saved).toHaveLength(70);
    expect(saved[0]).toMatchObject({ status: "answered", asker: { client: { name: "claude-code" } }, outcome: { kind: "answered" } });
    await page.getByText("70 saved").waitFor();
  });

  it("is exported as Markdown in which hostile text is only text", async () => {
    const hostile =
      "<img src=x onerror=alert(1)> [click](javascript:alert(2)) ![p](https://evil.example/p.png) https://evil.example `x` # no";
    const fence = "one\n```\n# out of the fence\n<script>alert(3)</script>";
    const id = await addPast(hub().store, {
      input: {
        title: hostile.slice(0, 100),
        questions: [
          { id: "a", type: "text", question: hostile },
          { id: "b", type: "text", question: fence },
        ],
      },
      client: "<b>agent</b>",
      project: "/home/[x](javascript:y)/p",
      askedAt: now - 60 * minutes,
      ended: {
        kind: "answered",
        answers: [
          { questionId: "a", values: [`${hostile}\n\`\`\`\`\nmore`] },
          { questionId: "b", values: ["\u202eright to left, *and* __bold__"] },
        ],
        comment: hostile,
      },
    });
    const { page } = await enter({ acceptDownloads: true });
    await goTo(page, `/history/${id}`);
    await page.getByTestId("reader").waitFor();
    for (const within of [".reader", ".list"]) {
      const saved = await download(page, "Markdown", within);
      const types = new Set<string>();
      const headings: string[] = [];
      await Promise.all(
        walkTokens(lexer(saved), (token) => {
          types.add(token.type);
          if (token.type === "heading") headings.push(token["text"] as string);
        }),
      );
      expect([...types].filter((type) => ["html", "link", "image", "codespan", "em"].includes(type))).toEqual([]);
      expect(headings.some((heading) => heading.includes("out of the fence"))).toBe(false);
      expect(saved).toContain("# out of the fence\n<script>alert(3)</script>");
      expect(saved).not.toContain("\u202e");
    }
  });

  it("shows and exports approvals in full, with changed arguments", async () => {
    const id = await addPast(hub().store, {
      input: {
        questions: [
          {
            id: "may",
            type: "approval",
            question: "May I?",
            editable: true,
            action: { kind: "command", tool: "Bash", cwd: "/home/ada/engine", command: "npm test\nrm -rf ~/\u200b.cache ```" },
          },
        ],
      },
      askedAt: now - 60 * minutes,
      ended: { kind: "answered", answers: [{ questionId: "may", values: ["allow"], input: { command: "npm run \u202eunit" } }] },
    });
    const { page } = await enter({ acceptDownloads: true });
    await goTo(page, `/history/${id}`);
    expect(await page.getByTestId("changed-input").textContent()).toContain('"command": "npm run ⟨U+202E⟩unit"');
    const saved = await download(page, "Markdown", ".reader");
    expect(saved).toContain("#### Command\n\n````text\nnpm test\nrm -rf ~/⟨U+200B⟩.cache ```\n````");
    expect(saved).toContain("#### Folder\n\n```text\n/home/ada/engine\n```");
    expect(saved).toContain('"command": "npm run ⟨U+202E⟩unit"');
  });
});
