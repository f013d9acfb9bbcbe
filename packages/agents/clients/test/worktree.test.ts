import { expect, test } from "vitest";
import { promptBlocks } from "../src/install.ts";

test("the prompt says that no skill may be used to ask", () => {
  expect(promptBlocks("ask_human", "fix-1")[0]).toMatch(/Do NOT invoke skills \(.+no skill may be used to ask a person\.$/);
});

test("the blocks for a system prompt name the tool as it is called, and the id only if it accepts one", () => {
  const [unavailable, instead] = promptBlocks("ask_human", "fix-1");
  expect(unavailable).toContain("Do NOT use the `AskUserQuestion` tool");
  expect(instead).toContain("`ask_human(question, agent_id)`");
  expect(instead).toContain('Always pass agent_id="fix-1" exactly as given.');
  expect(promptBlocks("ask_user", "fix-1")[1]).not.toContain("agent_id");
});
