import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { handshake, startServer } from "./server-process.ts";

const ask = { name: "ask_user", arguments: { questions: [{ question: "Shall we?" }] } };

/** An address that accepts connections and never responds, like a hub that hangs. */
async function silentHub(): Promise<string> {
  const server = createServer(() => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe("the stdio server", () => {
  test("lists its tools while no hub can be reached", async () => {
    const server = await startServer("main", { hub: await silentHub() }, { ASKBOX_TOKEN: "abx_none" });
    await handshake(server);
    const { result } = await server.request("tools/list");
    expect(result).toMatchObject({ tools: [{ name: "ask_user" }, { name: "get_answer" }, { name: "get_files" }] });
  });

  test("says at once that no hub could be started, and names the cause and the client's own tool", async () => {
    const server = await startServer("main", {}, { CN_MCP_TIMEOUT: "5000" });
    await handshake(server);
    const { result } = await server.request("tools/call", ask);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Failed: the person was not asked\..*your own question tool/) }],
    });
    expect(result, "an unusable timeout is kept from the hub").toMatchObject({
      content: [{ text: expect.stringContaining("could not be started: its timeout is undefined") }],
    });
    await expect.poll(() => server.stderr()).toMatch(/^\[MCP\] Session failed/m);
    expect(server.stderr()).toContain("CN_MCP_TIMEOUT is not a whole number of milliseconds from 10000 to 1800000; it is ignored");
  });

  test("reserves stdout for the protocol, whatever else writes to it", async () => {
    const server = await startServer("noisy-main");
    await handshake(server);
    await server.request("tools/list");
    server.child.stdin?.end();
    expect(await server.ended).toEqual([0, null]);
    expect(server.lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0", "2.0"]);
    expect(server.stderr().match(/noise/g)).toHaveLength(3);
  });

  test.each([
    ["stdin ends before anything was said", async () => {}],
    [
      "stdin ends after the tools were listed",
      async (server: Awaited<ReturnType<typeof startServer>>) => void (await server.request("tools/list")),
    ],
  ])("exits with code 0 when %s", async (_when, before) => {
    const server = await startServer("main");
    await before(server);
    server.child.stdin?.end();
    expect(await server.ended).toEqual([0, null]);
    expect(server.stderr()).toBe("");
  });

  test("exits silently if stdin ends during a call", async () => {
    const server = await startServer("main", { hub: await silentHub() }, { ASKBOX_TOKEN: "abx_none" });
    await handshake(server);
    void server.request("tools/call", ask);
    await server.request("tools/list");
    server.child.stdin?.end();
    expect(await server.ended).toEqual([0, null]);
    expect(server.lines.map((line) => JSON.parse(line)).filter(({ id }) => id === 2)).toEqual([]);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("exits with code 0 on %s", async (signal) => {
    const server = await startServer("main");
    await server.request("tools/list");
    server.child.kill(signal);
    expect(await server.ended).toEqual([0, null]);
  });

  test("exits when its stdout is no longer read", async () => {
    const server = await startServer("main");
    await server.request("tools/list");
    server.child.stdout?.destroy();
    server.notify("notifications/initialized");
    void server.request("tools/list");
    void server.request("tools/list");
    expect(await server.ended).toEqual([0, null]);
  });

  test("rejects flags with code 2 and a sentence", async () => {
    const server = await startServer("main", { tools: [] });
    expect(await server.ended).toEqual([2, null]);
    expect(server.stderr()).toMatch(/--tools: name at least one/);
    expect(server.lines).toEqual([]);
  });

  // promise: timeout-setting
  test("takes the default timeout from the flag", async () => {
    const server = await startServer("main", { timeout: 20_000 }, { ASKBOX_TIMEOUT: "30000" });
    const { result } = await server.request("tools/list");
    expect(result).toMatchObject({ tools: [{ inputSchema: { properties: { timeout: { default: 20_000 } } } }, {}, {}] });
  });
});
