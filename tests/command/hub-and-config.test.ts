import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

describe("askbox hub", () => {
  // promise: elsewhere-needs-hosts
  test.each([
    [["--port", "70000"], "--port: port must be at most 65535."],
    [["--store", "mysql:x"], 'There is no store "mysql:x"; use memory, sqlite, sqlite:PATH or redis://HOST:PORT.'],
    [["--host", "0.0.0.0"], "To listen on 0.0.0.0, the hub needs the host names"],
  ])("rejects %j with exit code 2, a sentence, and with --json a document", async (args, sentence) => {
    const ran = await home.spawn(["hub", ...args, "--json"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    expect(ran.stderr).toContain(sentence);
    expect(JSON.parse(ran.stdout)).toEqual({ error: { code: "VALIDATION", message: ran.stderr.trim() } });
  });

  // promise: exit-code-1
  test("reports a second hub with exit code 1, and with --json in a document", async () => {
    const hub = home.start(["hub", "--json"]);
    await hub.says(/"url"/);
    const second = await home.spawn(["hub", "--json"]);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({ error: { code: "CONFLICT", message: expect.stringContaining("already running") } });
    const third = await home.spawn(["hub"]);
    expect(third).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^A hub is already running at .*\.\n$/) });
  });

  // promise: calls-outlive-hub-by-a-minute
  test("stop reports how many calls still wait; they do not start it again, and reconnect to the hub that a person starts", async () => {
    const asked = home.start(["ask", "Still?"]);
    const [, id = ""] = await asked.says(/Asked as (\w{8})/);
    const stopped = await home.run(["hub", "stop"]);
    expect(stopped).toMatchObject({ code: 0, stderr: "" });
    expect(stopped.stdout).toMatch(
      /^Stopped the hub at \S+ \(pid \d+\)\. 1 pending question is kept\. 1 call is still waiting and looks for a hub for a minute: `askbox hub` starts one\.\n$/,
    );
    expect((await home.run(["hub", "status"])).code).toBe(5);
    const hub = home.start(["hub"]);
    await hub.says(/Ctrl-C stops it/);
    expect((await home.run(["answer", id, "yes"])).code).toBe(0);
    expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  });
});

// promise: calls-outlive-hub-by-a-minute
test("stop distinguishes calls that reconnect to the next hub from those over HTTP, which end", async () => {
  const hub = home.start(["hub"]);
  await hub.says(/Ctrl-C stops it/);
  const { url, askerToken } = JSON.parse(await readFile(join(home.path, "hub.json"), "utf8"));
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  };
  const params = { name: "ask_user", arguments: { questions: [{ question: "Over HTTP?" }] } };
  const called = fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${askerToken}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "ask_user",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { ...params, _meta: { ...meta, "io.modelcontextprotocol/clientCapabilities": {} } },
    }),
  }).then((response) => response.text());
  const asked = home.start(["ask", "Over the wire?"]);
  await asked.says(/Asked as/);
  await expect
    .poll(async () => JSON.parse((await home.run(["hub", "status", "--json"])).stdout))
    .toMatchObject({ waiting: 2, reconnecting: 1 });
  expect((await home.run(["hub", "stop"])).stdout).toMatch(
    /2 pending questions are kept\. 1 call is still waiting and looks for a hub for a minute: `askbox hub` starts one\. 1 call over HTTP has ended; its agent can continue by asking again\.\n$/,
  );
  expect(await called).toContain("Failed: ");
});

describe("askbox config", () => {
  test("writes valid values, rejects others with a sentence, and shows where a value comes from", async () => {
    const { stdout: path } = await home.run(["config", "path"]);
    expect(path).toBe(`${join(home.path, "config.json")}\n`);
    const written = await home.run(["config", "set", "retention", "30d"]);
    expect(written).toEqual({ code: 0, stderr: "", stdout: `retention is now 30d, in ${path.trim()}.\n` });
    expect(JSON.parse(await readFile(path.trim(), "utf8"))).toEqual({ $schema: "./config.schema.json", retention: "30d" });
    expect((await home.run(["config", "schema"])).stdout).toBe(await readFile(join(home.path, "config.schema.json"), "utf8"));
    expect(await home.run(["config", "get", "retention"])).toEqual({ code: 0, stdout: "30d\n", stderr: "" });
    expect((await home.run(["config", "get"], { env: { ASKBOX_TIMEOUT: "20000" } })).stdout).toMatch(
      /^timeout +20000 {2}\(environment\)\n[\s\S]*retention +30d {2}\(file\)\n[\s\S]*store +sqlite {2}\(default\)\n/,
    );
    for (const [args, sentence] of [
      [["set", "port", "http"], "port must be of the type number."],
      [["set", "timeout", "5"], "timeout must be at least 10000."],
      [["set", "colour", "red"], 'There is no setting "colour"; the settings are timeout, port,'],
      [["get", "colour"], 'There is no setting "colour"'],
    ] as const) {
      expect(await home.run(["config", ...args])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(sentence) });
    }
    expect((await home.run(["config", "unset", "retention"])).stdout).toContain("retention is now 90d");
    expect(JSON.parse((await home.run(["config", "get", "--json"])).stdout)).toMatchObject({
      timeout: 300_000,
      limits: { pending: 1_000 },
    });
  });

  test("prints a list of objects in the format that it accepts", async () => {
    const webhooks = [{ url: "https://ops.example/askbox" }, { url: "https://ntfy.sh/topic", kind: "ntfy" }];
    const { stdout } = await home.run(["config", "set", "webhooks", JSON.stringify(webhooks)]);
    expect(JSON.parse(/^webhooks is now (.*), in /.exec(stdout)?.[1] ?? "")).toMatchObject(webhooks);
    expect(JSON.parse((await home.run(["config", "get", "webhooks"])).stdout)).toMatchObject(webhooks);
    expect((await home.run(["config", "unset", "webhooks"])).code).toBe(0);
  });

  test("does not let an agent allow itself to answer", async () => {
    const env = { CLAUDECODE: "1" };
    expect(await home.run(["config", "set", "allowAnswerFromAgents", "true"], { env })).toMatchObject({ code: 1, stdout: "" });
    expect((await home.run(["config", "get", "allowAnswerFromAgents"])).stdout).toBe("false\n");
    expect((await home.run(["config", "set", "timeout", "60000"], { env })).code).toBe(0);
  });
});

describe("askbox doctor", () => {
  const examine = async (args: string[] = []) => {
    const { code, stdout } = await home.run(["doctor", "--json", ...args]);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { check: string; status: string; message: string }[] };
    const of = (check: string) => checks.filter((finding) => finding.check === check).map(({ status, message }) => `${status}: ${message}`);
    return { code, ok, checks, of };
  };

  test("finds nothing wrong in a new home, and creates nothing there", async () => {
    await mkdir(join(home.path, ".claude"));
    const { code, ok, of } = await examine();
    expect([code, ok]).toEqual([0, true]);
    expect(of("versions")[0]).toMatch(/^ok: askbox \d+\.\d+\.\d+, Node \d+/);
    expect(of("hub")).toEqual(["ok: No hub is running; the next question starts one."]);
    expect(of("clients").join()).toMatch(/claude-code [\d.]+ times out after 120 s/);
    await expect(stat(join(home.path, "hub.json"))).rejects.toThrow();
    expect((await home.run(["doctor"])).stdout).toMatch(/^ok {4}versions[\s\S]*\n(All is well\.|0 failed, \d+ to look at\.)\n$/);
  });

  test("checks the running hub, its store and its clock", async () => {
    await home.serve();
    const { code, of } = await examine();
    expect(code).toBe(0);
    expect(of("hub")[0]).toMatch(/^ok: askbox \S+ at http:\/\/127\.0\.0\.1:\d+, pid \d+, up .*; 0 pending, 0 waiting\.$/);
    expect(of("durability")[0]).toMatch(/^ok: The hub's store, sqlite: /);
    expect(of("store")[0]).toMatch(/askbox\.db is intact/);
    expect(of("clock")).toEqual(["ok: The hub's clock agrees with this machine's."]);
    expect(of("permissions")[0]).toContain("is accessible only to you");
  });

  test("reports why notifications do not work, in the mode that the environment sets", async () => {
    const { stdout } = await home.run(["doctor"], { env: { ASKBOX_ATTENTION: "command" } });
    expect(stdout).toMatch(/^warn +attention +.*`command`, but there is no command: set one/m);
    expect((await home.run(["doctor"], { env: { ASKBOX_ATTENTION: "none" } })).stdout).toMatch(/^ok +attention +You are not notified/m);
  });

  test("reports what is wrong and how to fix it, and exits with 1", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as { port: number };
    await writeFile(join(home.path, "config.json"), JSON.stringify({ port, colour: "red" }));
    await writeFile(join(home.path, "askbox.db"), "this is no database");
    await writeFile(join(home.path, "desk.json"), "{}");
    await chmod(join(home.path, "desk.json"), 0o644);
    await writeFile(
      join(home.path, "hub.json"),
      JSON.stringify({ url: "http://127.0.0.1:9", pid: 1, version: "0", instance: "x", askerToken: "y" }),
      {
        mode: 0o600,
      },
    );
    await chmod(join(home.path, "askbox.db"), 0o600);
    const { code, ok, of } = await examine();
    expect([code, ok]).toEqual([1, false]);
    expect(of("config")).toEqual([expect.stringMatching(/^warn: .*the setting colour is unknown and ignored\.$/)]);
    expect(of("permissions")).toEqual([expect.stringMatching(/^fail: .*desk\.json is readable by others .*run: chmod 600 /)]);
    expect(of("hub")).toEqual(["warn: hub.json names http://127.0.0.1:9, and nothing answers there; the next question starts a hub."]);
    expect(of("port")).toEqual([expect.stringMatching(new RegExp(`^fail: Port ${port} can't be used \\(EADDRINUSE\\)`))]);
    expect(of("store")).toEqual([expect.stringMatching(/^fail: .*askbox\.db is damaged/)]);
    // The hub it named is not ours, and closing the home would look for it.
    await writeFile(join(home.path, "hub.json"), "");
  });
});
