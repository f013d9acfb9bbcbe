import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lastOf, readTranscript } from "../src/hook/transcript.ts";

const lines = (...all: readonly unknown[]) => all.map((line) => JSON.stringify(line)).join("\n");
const assistant = (...content: readonly unknown[]) => ({ type: "assistant", message: { role: "assistant", content } });

test.each([
  [
    "messages with blocks",
    lines(
      { type: "user", message: { role: "user", content: "Fix it." } },
      assistant({ type: "text", text: "I'll look." }, { type: "tool_use", name: "Bash", input: { command: "npm\n test" } }),
      { ...assistant({ type: "text", text: "From a subagent." }), isSidechain: true },
      assistant({ type: "text", text: "All tests pass.\n" }),
      assistant({ type: "tool_use", name: "Edit", input: { file_path: "/srv/a.ts", old_string: "x" } }, { type: "tool_use", name: "Stop" }),
    ),
    { said: "All tests pass.", steps: ["Bash: npm test", "Edit: /srv/a.ts", "Stop"] },
  ],
  [
    "items by themselves",
    lines(
      { type: "response_item", payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] } },
      { type: "response_item", payload: { type: "function_call", name: "shell", arguments: '{"command":["ls","-l"]}' } },
      { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Ok" }] } },
    ),
    { said: "Done.", steps: ["shell: ls -l"] },
  ],
  ["what is cut, empty or no JSON", `ent":"x"}}\n\n{"message":null}\n[1]\n{"message":{"role":"assistant","content":"x"}}`, {}],
])("the agent's last words and steps are read from %s", (_of, transcript, background) => {
  expect(lastOf(transcript)).toEqual(background);
});

test("what is cut has no half character at its end", () => {
  const said = lastOf(lines(assistant({ type: "text", text: `y${"😀".repeat(5_000)}` }))).said ?? "";
  const call = { type: "tool_use", name: "Bash", input: { command: "😀".repeat(500) } };
  const odd = { ...call, input: { command: `x${"😀".repeat(500)}` } };
  const { steps = [] } = lastOf(lines(assistant(call), assistant(odd)));
  const even = lastOf(lines(assistant({ type: "text", text: "😀".repeat(5_000) }))).said ?? "";
  const all = [said, even, ...steps];
  expect(all.map((text) => text.isWellFormed() && text.endsWith("😀…"))).toEqual(all.map(() => true));
});

test("what was said is bounded in length and number", () => {
  const step = assistant({ type: "tool_use", name: "Bash", input: { command: "x".repeat(1_000) } });
  const { said, steps = [] } = lastOf(
    lines(assistant({ type: "text", text: "y".repeat(10_000) }), ...Array.from({ length: 50 }, () => step)),
  );
  expect([said?.length, steps.length, steps[0]?.length]).toEqual([2_000, 12, 300]);
});

test("only the end of a regular file is read, and anything else says nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "askbox-transcript-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "transcript.jsonl");
  writeFileSync(
    path,
    lines(assistant({ type: "text", text: "Early." }), { filler: "x".repeat(300_000) }, assistant({ type: "tool_use", name: "Read" })),
  );
  expect(await readTranscript(path)).toEqual({ steps: ["Read"] });
  for (const other of [folder, join(folder, "none"), "transcript.jsonl", 7, undefined]) expect(await readTranscript(other)).toEqual({});
});
