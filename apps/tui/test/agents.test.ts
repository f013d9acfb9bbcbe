import { stripVTControlCharacters } from "node:util";
import { parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { expect, test, vi } from "vitest";
import type { KeyPress } from "../src/editor/editor.ts";
import { aScreen } from "./support/screen.ts";

const conversation = "5f0c1b2a-0000-4000-8000-123456789abc";
const eighty = { columns: 80, rows: 14, plain: true };

test("A shows the agents, with the one under the cursor in full; i writes to it", async () => {
  const { app, frame, broker, clock, settle, desk, id } = await aScreen();
  const asker = broker.asker("agents");
  const gone = { client: { name: "claude-code" }, project: "/home/ada/engine", branch: "fix\u001b[31m", machine: "build-7", conversation };
  const request = parseAsk({ questions: [{ question: "Blue or green?" }] }, { ids: seededIds() });
  const { session } = await asker.ask(request, { asker: gone, maxWait: 0 });
  await desk.cancel(session.id);
  asker.close();
  await clock.advance(3_600_000);
  const press = async (...keys: { name: string; text?: string }[]) => {
    for (const key of keys) app.handleKey(key as KeyPress);
    await settle();
  };
  const shown = () =>
    frame
      .at(eighty)
      .lines.map((each) => stripVTControlCharacters(each).trimEnd())
      .join("\n");
  await press({ name: "escape" }, { name: "escape" }, { name: "A", text: "A" });
  await vi.waitFor(() => expect(shown()).toMatch(/askbox agents {2}2 agents/), { timeout: 30_000 });
  const text = shown();
  expect(text).toMatch(/current: Claude Code · engine \(fix␛\) on build-7\s+gone · 1 h ago\n {2}Blue or green\?\s+cancelled\n/);
  expect(text.replaceAll(/\s+/g, " ")).toContain(`Resume: cd /home/ada/engine && claude --resume ${conversation}`);
  await press({ name: "i", text: "i" });
  expect(shown()).toContain("Write to this agent.");
  await press(...[..."Thanks."].map((letter) => ({ name: letter, text: letter })), { name: "enter" });
  await vi.waitFor(() => expect(shown()).toContain("1 not delivered"), { timeout: 30_000 });
  expect((await desk.get(session.id)).thread?.map(({ text: said }) => said)).toEqual(["Thanks."]);
  expect((await desk.get(id)).thread).toBeUndefined();
});
