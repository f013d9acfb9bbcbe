import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { program } from "../setup/programs.ts";

const [node, server] = program("own-mcp-server");

test.each([
  ["sure", { confirmed: true, trust: 4 }, "is gone."],
  ["hardly sure", { confirmed: true, trust: 2 }, "Nothing was deleted."],
  ["against it", { confirmed: false, trust: 5 }, "Nothing was deleted."],
])("a tool of a third-party server asks before it deletes, and the person is %s", async (_who, content, said) => {
  const folder = await mkdtemp(join(tmpdir(), "askbox-example-"));
  const path = join(folder, "draft.txt");
  await writeFile(path, "text");
  const client = new Client({ name: "some-client", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content }));
  onTestFinished(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });
  await client.connect(new StdioClientTransport({ command: node, args: [server] }));
  const result = await client.callTool({ name: "delete-file", arguments: { path } });
  expect(JSON.stringify(result.content)).toContain(said);
  expect(existsSync(path)).toBe(said !== "is gone.");
});
