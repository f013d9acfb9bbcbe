import { approvalSources, promptEvent, promptResult, promptWithoutPerson } from "@askbox/clients";
import { expect, test } from "vitest";
import { claudeEvents } from "./support/claude-events.ts";

const call = { tool_name: "Bash", input: { command: "touch proof.txt", description: "Make proof" } };
const decided = (decision: unknown) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });

test("the prompt tool asks the same as the hook, and identifies itself as the prompt tool", () => {
  const { session_id: conversation, cwd } = claudeEvents.command;
  const [source] = approvalSources;
  const read = source?.read(promptEvent(call, { conversation, cwd, branch: "main" }));
  expect(read).toEqual({ ...source?.read(claudeEvents.command), branch: "main", isPromptTool: true });
  expect(source?.read(claudeEvents.command)).toMatchObject({ isPromptTool: false });
});

test("only a permission allows, and it always includes the input", () => {
  expect(promptResult(call, decided({ behavior: "allow" }))).toEqual({ behavior: "allow", updatedInput: call.input });
  const updatedInput = { command: "touch other.txt" };
  expect(promptResult(call, decided({ behavior: "allow", updatedInput }))).toEqual({ behavior: "allow", updatedInput });
  expect(promptResult(call, decided({ behavior: "deny", message: "Not today" }))).toEqual({ behavior: "deny", message: "Not today" });
  const nobody = { behavior: "deny", message: "Nobody decided this in askbox, so it was not allowed." };
  const nothing = [
    undefined,
    null,
    "allow",
    [],
    { behavior: "allow" },
    decided(undefined),
    decided({ behavior: "Allow" }),
    decided("allow"),
  ];
  for (const answer of nothing) expect(promptResult(call, answer)).toEqual(nobody);
});

test("askbox's own tools are allowed, and the client's own questions redirected to them", () => {
  const own = { tool_name: "mcp__askbox__ask_user", input: { questions: [] } };
  expect(promptWithoutPerson(own)).toEqual({ behavior: "allow", updatedInput: { questions: [] } });
  expect(promptWithoutPerson({ ...own, tool_name: "mcp__askbox2__ask_user" })).toBeUndefined();
  expect(promptWithoutPerson({ ...own, tool_name: "AskUserQuestion" })).toEqual({
    behavior: "deny",
    message: expect.stringMatching(/ask_user tool if you have it; otherwise put it in your reply and stop\.$/),
  });
  expect(promptWithoutPerson(call)).toBeUndefined();
});
