import { clientNamed } from "@askbox/clients";
import { expect, test } from "vitest";
import { openMachine } from "./support/machine.ts";

test.each([
  [undefined, false, "a model checks each call; what it denies comes to the inbox, and the rest runs"],
  ["auto", false, "a model checks each call; what it denies comes to the inbox, and the rest runs"],
  ["default", true, "whatever no rule allows comes to the inbox"],
  ["manual", true, "whatever no rule allows comes to the inbox"],
  ["bypassPermissions", false, "everything runs, and nothing comes to the inbox"],
  ["constructor", false, "what comes to the inbox in this mode is not known"],
])("Claude Code in the mode %s says whether it asks, and what reaches the inbox", (defaultMode, asks, words) => {
  const machine = openMachine();
  if (defaultMode !== undefined) machine.write("home/.claude/settings.json", JSON.stringify({ permissions: { defaultMode } }));
  expect(clientNamed("claude-code").decides?.(machine.system, "user")).toMatchObject({ value: defaultMode, asks, words });
});

test("Codex says whether a person or a model reviews what it asks for", () => {
  const machine = openMachine();
  const decides = () => clientNamed("codex").decides?.(machine.system, "user");
  expect(decides()).toMatchObject({ asks: true, words: "what Codex asks for comes to the inbox" });
  machine.write("home/.codex/config.toml", 'approvals_reviewer = "auto_review"\n');
  expect(decides()).toMatchObject({
    value: "auto_review",
    asks: false,
    words: expect.stringContaining("what it denies comes to the inbox"),
  });
  machine.install("codex", { approvals: "/usr/bin/askbox hook codex" });
  expect(clientNamed("codex").hooked?.(machine.system, "user")).toMatchObject({ approvals: true });
});
