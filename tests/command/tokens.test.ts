import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let there: Home;
let here: Home;
beforeEach(async () => {
  [there, here] = await Promise.all([openHome(), openHome()]);
});
afterEach(async () => {
  await here.close();
  await there.close();
});

describe("askbox token", () => {
  // promise: secrets-hashed
  test("creates a token for a remote agent, which can ask until it is revoked", async () => {
    const hub = there.start(["hub"]);
    const [, url = ""] = await hub.says(/at (http:\/\/\S+) /);
    const made = await there.run(["token", "create", "ci", "--scope", "asker", "--agent", "builder", "--expires", "30d"]);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^abx_[\w-]{43}\n$/) });
    expect(made.stderr).toBe("This is the token ci (asker). Save it now; it is not shown again.\n");
    const env = { ASKBOX_HUB: url, ASKBOX_TOKEN: made.stdout.trim() };
    const asked = here.start(["ask", "Go?", "--type", "confirm"], { env });
    const [, id = ""] = await asked.says(/Asked as (\w{8})/);
    expect(JSON.parse((await there.run(["show", id, "--json"])).stdout).asker).toMatchObject({ agentId: "builder" });
    expect(await here.run(["list"], { env })).toMatchObject({ code: 1, stderr: expect.stringContaining("may ask but not see or answer") });
    expect(await here.run(["token", "list"], { env })).toMatchObject({ code: 1, stderr: expect.stringContaining("scope desk") });

    const list = await there.run(["token", "list"]);
    expect(list.stdout).toMatch(/^NAME +SCOPE +AGENT +EXPIRES +LAST USED +ID\nci +asker +builder +in 30 d +just now +[0-9a-f]{16}\n$/);
    expect(list.stdout + (await readFile(join(there.path, "tokens.json"), "utf8"))).not.toContain(made.stdout.trim());
    expect((await stat(join(there.path, "tokens.json"))).mode & 0o777).toBe(0o600);

    expect(await there.run(["token", "revoke", "ci"])).toEqual({ code: 0, stdout: "Revoked the token ci (asker).\n", stderr: "" });
    expect(await asked.done).toMatchObject({ code: 1, stderr: expect.stringContaining("does not know") });
    expect((await there.run(["show", id, "--json"])).stdout).toContain('"pending"');
    expect((await there.run(["token", "list", "--json"])).stdout).toBe("[]\n");
  });

  test.each([
    [["create", "ci"], "Required option '--scope <scope>' not specified."],
    [["create", "ci", "--scope", "root"], '--scope takes one of asker, desk, metrics, not "root".'],
    [["create", "two words", "--scope", "asker"], "name is not valid: 1 to 60 letters"],
    [
      ["create", "ci", "--scope", "asker", "--expires", "soon"],
      '--expires takes a duration of a minute or more, such as 30d or 12h, not "soon".',
    ],
    [["create", "ci", "--scope", "desk", "--agent", "a"], "Only a token of the scope asker has an agent id."],
    [["create", "ci", "--scope", "metrics", "--shared"], "Only a token of the scope asker can be shared."],
    [["revoke", "nobody"], 'There is no token "nobody"; `askbox token list` lists the existing ones.'],
    [["revoke", "../devices/x"], '"../devices/x" is not a token\'s name or id.'],
  ])("rejects %j with exit code 2 and a sentence", async (args, sentence) => {
    await there.serve();
    const ran = await there.run(["token", ...args]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(sentence);
  });

  // promise: agent-shell-refused
  test("creates nothing in an agent's shell, since that could answer with it", async () => {
    await there.serve();
    const ran = await there.run(["token", "create", "mine", "--scope", "desk"], { env: { CLAUDECODE: "1" } });
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("This shell belongs to Claude Code") });
    expect((await there.run(["token", "list", "--json"])).stdout).toBe("[]\n");
  });
});

describe("a hub over TLS", () => {
  const pem = (what: string) => resolve(import.meta.dirname, "../../packages/hub-process/test/fixtures/tls", `one.${what}.pem`);

  test("serves its own home's commands, and remote ones that trust its certificate", async () => {
    const hub = there.start(["hub", "--store", "memory", "--tls-cert", pem("cert"), "--tls-key", pem("key")]);
    const [, url = ""] = await hub.says(/at (https:\/\/\S+) /);
    const { stdout: token } = await there.run(["token", "create", "ci", "--scope", "asker"]);
    await writeFile(join(here.path, "token"), token);
    const flags = ["--hub", url, "--token-file", join(here.path, "token")];
    expect(await here.run(["ask", "Go?", ...flags])).toMatchObject({ code: 5, stderr: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
    const asked = here.start(["ask", "Go?", "--type", "confirm", ...flags], { env: { NODE_EXTRA_CA_CERTS: pem("cert") } });
    const [, id = ""] = await asked.says(/Asked as (\w{8})/);
    expect((await there.run(["answer", id, "yes"])).code).toBe(0);
    expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
    expect((await there.run(["doctor"])).stdout).toContain(`at ${url}`);
    expect((await there.run(["hub", "stop"])).stdout).toContain(`Stopped the hub at ${url}`);
  });
});
