import { expect, test } from "vitest";
import { pluginHint } from "../src/options.ts";

test("a plugin's server says how to lift the limit of a client that has one, by the name that the client reports", () => {
  expect(pluginHint("claude-code")).toContain("a call waits 120 s here at most, and `askbox install claude-code`");
  expect(pluginHint("codex-mcp-client")).toContain("a call waits 300 s here at most, and `askbox install codex`");
  for (const client of ["opencode", "Visual Studio Code", "somebody"]) expect(pluginHint(client)).toBeUndefined();
});
