import { stripVTControlCharacters } from "node:util";
import type { Ran } from "@askbox/core/grants";
import { aGrant, aRan } from "@askbox/core/testing";
import { expect, test, vi } from "vitest";
import type { KeyPress } from "../src/editor/editor.ts";
import { aScreen } from "./support/screen.ts";

const eighty = { columns: 80, rows: 24, plain: true };
const claude = { client: "claude-code", tool: "Bash", project: "/home/ada/engine" } as const;

/** The screen after R, with what ran; keys are pressed one after the other. */
async function ranScreen(ran: readonly Partial<Ran>[], options: { keepsRan?: boolean } = {}) {
  const screen = await aScreen(options);
  const { app, frame, broker, clock, settle } = screen;
  await broker.ran.add(ran.map((each) => aRan(clock.now(), { ...claude, ...each })));
  await clock.advance(120_000);
  const press = async (...names: string[]) => {
    for (const name of names) app.handleKey({ name, text: name.length === 1 ? name : undefined } as KeyPress);
    await settle();
  };
  const lines = () => frame.at(eighty).lines.map((each) => stripVTControlCharacters(each).trimEnd());
  await press("escape", "escape", "R");
  await vi.waitFor(() => expect(lines()[0]).toContain("askbox ran"));
  return { ...screen, press, lines, shown: () => lines().join("\n") };
}

const three: readonly Partial<Ran>[] = [
  { what: "npm test", by: { kind: "grant", name: "k3f9" } },
  { what: "rm -rf \u001b[31mbuild", reach: ["deletes"], by: { kind: "rule", name: "default" }, failed: true },
  { what: "git push origin main", reach: ["network"], by: { kind: "model", name: "auto mode" } },
];

test("R shows what ran without a person, newest first, with what it reaches and who let it", async () => {
  const { shown, lines, press } = await ranScreen(three);
  await vi.waitFor(() => expect(lines()[0]).toContain("askbox ran  3 actions"));
  expect(lines().slice(1, 7)).toEqual([
    "current: Bash: git push origin main",
    expect.stringMatching(/^ {2}network · let by Claude Code's auto mode · engine +2 min ago$/),
    "  Bash: rm -rf ⟨U+001B⟩[31mbuild",
    expect.stringMatching(/^ {2}deletes · failed · let by a rule of Claude Code · engine +2 min ago$/),
    "  Bash: npm test",
    expect.stringMatching(/^ {2}let by the grant k3f9 · engine +2 min ago$/),
  ]);
  await press("j");
  expect(shown()).toContain("current: Bash: rm -rf ⟨U+001B⟩[31mbuild");
  await press("escape");
  expect(shown()).not.toContain("askbox ran");
});

test("delete revokes the grant that let the action under the cursor run", async () => {
  const { shown, press, broker, clock } = await ranScreen(three);
  await broker.grants.add(aGrant({ id: "k3f9", createdAt: clock.now(), expiresAt: clock.now() + 86_400_000 }));
  await vi.waitFor(() => expect(shown()).toContain("3 actions"));
  await press("delete");
  expect(shown()).toContain("No grant let it run.");
  await press("G", "delete");
  await vi.waitFor(() => expect(shown()).toContain("Revoked the grant."));
  expect(await broker.grants.list()).toEqual([]);
  await press("delete");
  await vi.waitFor(() => expect(shown()).toContain("That grant has ended already."));
});

test("w copies the command that grants what begins like it, and / narrows the list", async () => {
  const { app, shown, lines, press } = await ranScreen(three);
  const copy = vi.spyOn(app.options.host, "copy");
  await vi.waitFor(() => expect(shown()).toContain("3 actions"));
  await press("w");
  expect(copy).toHaveBeenCalledWith("askbox grants add 'git push' --client claude-code --project /home/ada/engine");
  await press("/", ..."deletes", "enter");
  expect(lines()[0]).toContain("1 action  “deletes”");
  await press("w");
  expect(shown()).toContain("No grant can be for commands like this one.");
  await press("escape");
  expect(lines()[0]).toContain("3 actions");
});

test("a hub that keeps nothing says how to turn it on", async () => {
  const { shown } = await ranScreen([], { keepsRan: false });
  await vi.waitFor(() => expect(shown().replaceAll(/\s+/g, " ")).toContain("`askbox config set ran 7d` turns that on"));
  const { shown: empty } = await ranScreen([]);
  await vi.waitFor(() => expect(empty()).toContain("Nothing has run without you yet."));
});
