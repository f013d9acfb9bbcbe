import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome, program } from "../command/support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

test("askbox mcp --probe measures how long a client waits, and doctor --client reports it", async () => {
  const [command, ...args] = program;
  const transport = new StdioClientTransport({
    command,
    args: [...args, "mcp", "--probe"],
    env: { ASKBOX_HOME: home.path, PATH: process.env["PATH"] ?? "" },
  });
  const client = new Client({ name: "Zed", version: "9.9" });
  await client.connect(transport);
  const timeout = 1_000;
  let [sent, heard] = [0, Number.POSITIVE_INFINITY];
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["askbox_probe"]);
    // This client times out after a second, as others do after a minute.
    sent = performance.now();
    const onprogress = () => {
      heard = Math.min(heard, performance.now());
    };
    await expect(client.callTool({ name: "askbox_probe", arguments: {} }, { timeout, onprogress })).rejects.toThrow(/timed out/i);
    await client.callTool({ name: "askbox_probe", arguments: { seconds: 1, progress: false } });
  } finally {
    await client.close();
  }
  // The server was asked between the sending and its first progress. It was told of the end after the timeout. Timers and figures are rounded to a ms.
  const [least, most] = [Math.max(0, sent + timeout - heard - 2), performance.now() - sent];
  const { stdout } = await home.run(["doctor", "--client", "zed", "--json"]);
  const { limit, raisedTo, probes, probeCommand } = JSON.parse(stdout);
  expect(limit).toMatchObject({ name: "Zed", cap: 60_000, evidence: { source: "documented" } });
  expect(raisedTo).toBe(1_800);
  expect(probeCommand.slice(-2)).toEqual(["mcp", "--probe"]);
  expect(probes).toEqual([
    expect.objectContaining({
      client: { name: "Zed", version: "9.9" },
      end: "cut",
      waited: expect.toSatisfy((ms: number) => ms >= least && ms <= most),
    }),
    expect.objectContaining({ end: "returned", progress: false }),
  ]);
  expect((await home.run(["doctor", "--client", "zed"])).stdout).toMatch(/Zed 9\.9, .* a call was terminated by the client after \d+ s/);
  expect((await home.run(["doctor", "--client", "cursor"])).stdout).toContain("Nothing has been measured on this machine yet.");
});
