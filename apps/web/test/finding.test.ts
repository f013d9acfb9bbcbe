import type { AskInput, SessionView } from "@askbox/core";
import { searchWords } from "@askbox/core/questions";
import { AskboxContext } from "@askbox/react";
import { act, fireEvent, renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { HistoryRow } from "../src/history/history-list.tsx";
import { settledPage } from "../src/history/use-history.ts";
import { type ListFilter, narrowed } from "../src/inbox/filter.ts";
import { useListing } from "../src/inbox/use-listing.ts";
import { ViewMenu } from "../src/inbox/view-menu.tsx";
import { AgentText, FoundContext } from "../src/ui/agent-text.tsx";
import { cleansUp, shown } from "./page.ts";

cleansUp();

const approval = (command: string): AskInput => ({
  questions: [{ id: "q", type: "approval", question: "May I?", action: { kind: "command", tool: "Bash", command } }],
});
const sure: AskInput = { title: "Sure", questions: [{ id: "q", type: "confirm", question: "Sure?" }] };
const why: AskInput = { title: "Why", questions: [{ id: "q", type: "text", question: "Why?" }] };

test("the history tells denials from answers, and reads on until it finds one", async () => {
  const stage = await createStage();
  const desk = stage.broker.desk({ surface: "cli" });
  const settle = async (input: AskInput, value: string) => {
    const { id } = await stage.ask(input);
    await desk.answer(id, { answers: [{ questionId: "q", values: [value] }] });
    await stage.clock.advance(1_000);
    return id;
  };
  const denied = await settle(approval("rm -rf /"), "deny");
  const answered = [await settle(approval("ls"), "allow"), await settle(sure, "no"), await settle(why, "Because")];
  const ids = async (ending: "answered" | "denied" | undefined, limit = 50) =>
    (await settledPage(desk, { text: "", ending }, { limit })).items.map(({ id }) => id);
  expect(await ids("denied")).toEqual([denied]);
  // The page with the denial is the last of four.
  expect(await ids("denied", 1)).toEqual([denied]);
  expect(await ids("answered")).toEqual(answered.toReversed());
  expect(await ids(undefined)).toHaveLength(4);
});

test("a row of the history shows when it was asked, which the list is in the order of, and tells when it was settled", async () => {
  const stage = await createStage();
  const { id } = await stage.ask({ ...sure, timeout: 1_800_000 });
  await stage.clock.advance(1_500_000);
  await stage.broker.desk({ surface: "cli" }).answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
  const time = shown(stage, createElement(HistoryRow, { session: await stage.view(id), isOpen: false })).querySelector("time");
  expect(time?.getAttribute("datetime")).toBe("2026-11-18T14:42:00.000Z");
  expect(time?.title).toMatch(/^Asked .* · Settled /);
});

test.each([
  ["Deploy the deployment", "DEPLOY", ["Deploy", "deploy"]],
  ["a.b or axb?", "a.b", ["a.b"]],
  ["one two", "two  one", ["one", "two"]],
  ["nothing here", "", []],
])("in %j, the hits of %j are marked", async (text, search, hits) => {
  const part = createElement(FoundContext, { value: searchWords(search) }, createElement(AgentText, { children: text }));
  const page = shown(await createStage(), part);
  await expect.poll(() => [...page.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(hits);
  expect(page.textContent).toBe(text);
});

async function listed() {
  const stage = await createStage();
  for (const input of [approval("git push"), why, approval("git pull"), sure]) {
    await stage.ask(input);
    await stage.clock.advance(1_000);
  }
  const wrapper = ({ children }: { children: ReactNode }) => createElement(AskboxContext, { value: stage.askbox }, children);
  const hidden = new Set<string>();
  const kinds = (filter: ListFilter) =>
    renderHook(() => useListing(filter, hidden), { wrapper }).result.current.waiting.map(
      ({ questions }: SessionView) => questions[0]?.type,
    );
  return { stage, kinds };
}

test("similar approvals are beside each other, and the list can be narrowed to a kind or an agent", async () => {
  const { kinds } = await listed();
  expect(kinds({})).toEqual(["approval", "approval", "text", "confirm"]);
  expect(kinds({ kind: "lines" })).toEqual(["text"]);
  expect(kinds({ agent: "Claude Code", kind: "lines", text: "why" })).toEqual(["text"]);
  expect(kinds({ agent: "Codex" })).toEqual([]);
});

test("the menu offers the kinds and agents that are there, and the one that is chosen", async () => {
  const { stage } = await listed();
  let filter: ListFilter = { agent: "Codex" };
  const menu = shown(stage, createElement(ViewMenu, { filter, onFilter: (next) => (filter = next), onSelect() {} }));
  const select = (label: string) =>
    [...menu.querySelectorAll("label")]
      .find(({ textContent }) => textContent?.startsWith(label))
      ?.querySelector("select") as HTMLSelectElement;
  const offered = (label: string) => [...select(label).options].map(({ text }) => text);
  expect(offered("Kind")).toEqual(["All", "Approval", "Text", "Yes or no"]);
  expect(offered("Agent")).toEqual(["All", "Claude Code", "Codex"]);
  await act(async () => void fireEvent.change(select("Kind"), { target: { value: "approval" } }));
  expect(filter).toEqual({ agent: "Codex", kind: "approval" });
  expect(narrowed(filter, "agent", "")).toEqual({ kind: "approval" });
});
