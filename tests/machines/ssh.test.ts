import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claudeEvents } from "../clients/support/claude-events.ts";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { openSshHost } from "./support/ssh-host.ts";

let host: ReturnType<typeof openSshHost>;
let here: Home;

beforeEach(async () => {
  host = openSshHost();
  here = await openHome({ path: [host.ssh] });
});
afterEach(() => here.close());

const connect = async (...more: string[]) => {
  const tunnel = here.start(["ssh", "build-7", ...more], { env: host.env });
  const [, name = ""] = await tunnel.says(/comes here, from (\S+), for as long/);
  return { tunnel, name };
};

test("agents on the host ask here, a waiting one gets its answer after the tunnel broke, and the code is in no argument", async () => {
  const { desk, only, answer } = await openDesk(here, "process");
  const { tunnel, name } = await connect();
  expect(name).toBe("build-7");
  const asked = here.start(["ask", "Deploy?", "--type", "confirm"], { env: host.there });
  const id = await only("pending");
  const { asker } = await desk.get(id);
  expect(asker.machine).toBe("build-7");
  // Here, nobody can answer: no line says how.
  const [, said = ""] = await asked.says(/^(Asked as .*)$/m);
  expect(said).toContain("waiting");
  killProcess(host.started().findLast(({ isTunnel }) => isTunnel)?.pid ?? 0);
  await tunnel.says(/Lost build-7 \(.*\); trying again/);
  await answer(id, ["yes"]);
  await tunnel.says(/Connected to build-7 again/);
  expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  expect((await desk.list({ statuses: ["answered"] })).items).toHaveLength(1);
  expect((await asked.done).stderr).not.toMatch(/askbox answer/);

  const joined = JSON.parse(readFileSync(join(host.there.ASKBOX_HOME, "joined.json"), "utf8"));
  const files = readdirSync(host.there.ASKBOX_HOME).filter((file) => file.endsWith(".sock"));
  expect(files).toHaveLength(1);
  expect(joined.url).toBe(`unix:${join(host.there.ASKBOX_HOME, files[0] ?? "")}`);
  expect(statSync(host.there.ASKBOX_HOME).mode & 0o777).toBe(0o700);
  expect(statSync(join(host.there.ASKBOX_HOME, files[0] ?? "")).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(host.started())).not.toMatch(/#join=|abx_/);

  tunnel.child.kill("SIGTERM");
  expect((await tunnel.done).code).toBe(0);
  await until("no tunnel is left", () => host.started().every(({ pid }) => !isAlive(pid)));
});

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("a call that a model denied there, and a person overruled here, is let through there, once", async () => {
  const { only, answer } = await openDesk(here, "process");
  const { tunnel } = await connect();
  // What the settings of Claude Code there say: nothing is started for a call until one was denied.
  const mark = join(host.there.ASKBOX_HOME, "overruled");
  const hook = async (event: object, ...flags: string[]) => {
    const stdin = JSON.stringify({ ...event, cwd: host.home });
    const { code, stdout, stderr } = await here.spawn(["hook", "claude-code", ...flags], { stdin, env: host.there });
    return [code, stdout, stderr];
  };
  expect(existsSync(mark)).toBe(false);
  expect(await hook(claudeEvents.denied)).toEqual([0, "", ""]);
  expect(existsSync(mark)).toBe(true);
  expect(await hook(claudeEvents.calling, "--overruled")).toEqual([0, "", ""]);
  await answer(await only("pending"), ["allow"]);
  const through = await hook(claudeEvents.calling, "--overruled");
  expect(through).toEqual([0, expect.stringContaining('"permissionDecision":"allow"'), ""]);
  expect(await hook(claudeEvents.calling, "--overruled")).toEqual([0, "", ""]);
  // A day later nothing can be overruled any more, and no program is started again.
  utimesSync(mark, new Date(0), new Date(0));
  await hook(claudeEvents.calling, "--overruled");
  expect(existsSync(mark)).toBe(false);
  tunnel.child.kill("SIGTERM");
  await tunnel.done;
});

test("a host joins once, and again after it was revoked; one that has joined another hub is left alone", async () => {
  const first = await connect("--name", "builder");
  first.tunnel.child.kill("SIGINT");
  await first.tunnel.done;
  const again = await connect("--name", "other");
  expect([first.name, again.name]).toEqual(["builder", "builder"]);
  again.tunnel.child.kill("SIGINT");
  await again.tunnel.done;
  expect((await here.run(["machines", "revoke", "builder"])).code).toBe(0);
  const third = await connect("--name", "other");
  expect(third.name).toBe("other");
  third.tunnel.child.kill("SIGINT");
  await third.tunnel.done;

  const elsewhere = await openHome({ path: [host.ssh] });
  try {
    const { code, stderr } = await elsewhere.spawn(["ssh", "build-7"], { env: host.env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("It has joined another hub, at unix:")]);
  } finally {
    await elsewhere.close();
  }
});

test("nothing is installed or downloaded on a host without askbox, and no host is an option of ssh", async () => {
  const bare = openSshHost({ hasAskbox: false });
  const { code, stderr } = await here.spawn(["ssh", "build-7"], { env: { ...bare.env, PATH: `${bare.ssh}:${process.env["PATH"]}` } });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/There is neither askbox nor npx on build-7|nothing was downloaded/)]);
  expect(readdirSync(bare.there.ASKBOX_HOME)).toEqual([]);
  for (const name of ["-oProxyCommand=touch owned", "build 7", ""]) {
    expect(await here.spawn(["ssh", "--", name], { env: host.env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no host that ssh could reach"),
    });
  }
  expect(host.started()).toEqual([]);
});
