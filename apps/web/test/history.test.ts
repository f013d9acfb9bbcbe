import { type AskInput, parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { historyPath, navigate } from "../src/router/router.tsx";
import { button, cleansUp, click, fill, pageAt, path, press } from "./page.ts";

cleansUp();

const sure = (question: string): AskInput => ({ questions: [{ id: "q", type: "confirm", question }] });
const yes = { answers: [{ questionId: "q", values: ["yes"] }] };

test("the history can be searched by questions and answers, filtered by project, agent, machine and outcome, shows what is newly settled, and takes a reply to a timeout", async () => {
  const stage = await createStage();
  const desk = stage.broker.desk({ surface: "terminal", name: "Ada" });
  const ids = seededIds();
  const ask = async (
    input: AskInput,
    { client = "claude-code", project = "/home/ada/engine", machine = undefined as string | undefined } = {},
  ) => {
    await stage.clock.advance(1_000);
    const asker = { client: { name: client }, project, machine };
    const { session } = await stage.broker.asker("agents").ask(parseAsk(input, { ids }), { asker, maxWait: 0, earlier: false });
    return session.id;
  };
  await desk.answer(await ask(sure("Drop the table?"), { project: "/home/ada/ledger" }), yes);
  await desk.cancel(await ask(sure("Ship it?"), { client: "codex", machine: "build-7" }), { reason: "Not on a Friday" });
  const late = await ask({ timeout: 60_000, questions: [{ id: "q", question: "Which port?" }] });
  await stage.clock.advance(61_000);
  const page = pageAt(stage, "/history");
  const rows = () =>
    [...page.querySelectorAll(".list [data-session]")].map((row) => /Drop|Ship|Which|New/.exec(row.textContent ?? "")?.[0]);
  const field = (name: string) => page.querySelector(`.history-tools [aria-label="${name}"]`);
  await expect.poll(rows).toEqual(["Which", "Ship", "Drop"]);

  await fill(field("Search"), "friday");
  await expect.poll(rows).toEqual(["Ship"]);
  await fill(field("Search"), "");
  await fill(field("Project"), "/home/ada/ledger");
  await expect.poll(rows).toEqual(["Drop"]);
  await fill(field("Project"), "");
  await fill(field("Agent"), "codex");
  await expect.poll(rows).toEqual(["Ship"]);
  await fill(field("Agent"), "");
  await fill(field("Machine"), "build-7");
  await expect.poll(rows).toEqual(["Ship"]);
  await fill(field("Machine"), "");
  await fill(field("Outcome"), "timed_out");
  await expect.poll(rows).toEqual(["Which"]);
  await fill(field("Project"), "/home/ada/ledger");
  await expect.poll(() => page.textContent).toContain("No past questions match.");

  await fill(field("Project"), "");
  await fill(field("Outcome"), "");
  await expect.poll(() => rows().length).toBe(3);
  const id = await ask(sure("New one?"));
  await act(() => desk.answer(id, yes));
  await expect.poll(rows).toEqual(["New", "Which", "Ship", "Drop"]);

  act(() => navigate(historyPath(late)));
  const link = () => [...page.querySelectorAll("a")].find(({ textContent }) => textContent === "Reply now");
  await expect.poll(link).toBeDefined();
  await click(link());
  const text = () => page.querySelector(".question textarea");
  await expect.poll(text).not.toBeNull();
  await fill(text(), "8080");
  await click(button(page, "Send reply"));
  await expect.poll(async () => (await stage.view(late)).reply?.answers[0]?.values).toEqual(["8080"]);

  const commented = await ask({ timeout: 60_000, questions: [{ id: "q", question: "Which host?" }] });
  await stage.clock.advance(61_000);
  await desk.reply(commented, { answers: [{ questionId: "q", values: ["localhost"] }], comment: "Sorry, lunch" });
  act(() => navigate(historyPath(commented)));
  const reply = () => page.querySelector(`section[aria-labelledby="reply-title"]`)?.textContent;
  await expect.poll(reply).toMatch(/Reply after the deadline[\s\S]*localhost[\s\S]*Sorry, lunch/);
});

test("the history has one cursor: the first row at once, moved by j, k, g and G, previewed beside the list; Enter opens it and Esc goes back to it", async () => {
  const stage = await createStage();
  const desk = stage.broker.desk({ surface: "terminal", name: "Ada" });
  for (const question of ["One?", "Two?", "Three?"]) {
    const { id } = await stage.ask({ questions: [{ id: "q", type: "confirm", question }] });
    await desk.answer(id, yes);
    await stage.clock.advance(1_000);
  }
  const page = pageAt(stage, "/history");
  const under = () => page.querySelector("[data-peeked]");
  const isUnder = async (question: string) => {
    await expect.poll(() => under()?.textContent).toContain(question);
    expect(document.activeElement).toBe(under());
    await expect.poll(() => page.querySelector("[data-testid=reader] h1")?.textContent).toContain(question);
    expect(path()).toBe("/history");
  };
  await isUnder("Three?");
  await press("j");
  await isUnder("Two?");
  await press("End");
  await isUnder("One?");
  await press("j");
  await isUnder("One?");
  await press("g");
  await isUnder("Three?");
  await press("j");
  await click(under());
  await expect.poll(path).toMatch(/^\/history\/./);
  expect(page.querySelector("[aria-current=true]")?.textContent).toContain("Two?");
  await press("k");
  await expect.poll(() => page.querySelector("[aria-current=true]")?.textContent).toContain("Three?");
  await press("Escape");
  await isUnder("Three?");
});
