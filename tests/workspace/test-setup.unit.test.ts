import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { canRun, type Host, inPath, needs, prepare, startFirst } from "../../scripts/programs.ts";

const chromium = needs.filter(({ name }) => name.startsWith("Chromium"));

/** A machine with these programs, to which apt-get and downloads add theirs. */
function machine({ has = [], isRoot = false, apt = [], downloads, platform = "linux", env = {} }: MachineOptions = {}) {
  const programs = new Set(has);
  const said: string[] = [];
  const ran: string[] = [];
  const host: Host = {
    platform,
    isRoot,
    env: { PATH: "/usr/bin:/opt/bin", ...env },
    canRun: (path) => programs.has(path),
    async run(program, args) {
      ran.push([program, ...args].join(" "));
      for (const path of apt) if (args.includes(basename(path))) programs.add(path);
      return true;
    },
    playwrightChromium: () => "/cache/playwright/chrome",
    async downloadChromium() {
      ran.push("download");
      if (downloads === undefined) throw new Error("No network.");
      programs.add(downloads);
    },
    say: (line) => said.push(line),
  };
  return { host, said, ran };
}
interface MachineOptions {
  has?: readonly string[];
  isRoot?: boolean;
  apt?: readonly string[];
  downloads?: string;
  platform?: NodeJS.Platform;
  env?: Record<string, string>;
}

it("uses the specified Chromium, then the system's, then Playwright's, and tells the tests where it is", async () => {
  const all = ["/my/chrome", "/opt/bin/google-chrome", "/cache/playwright/chrome"];
  for (const [has, env, found] of [
    [all, { CHROMIUM_PATH: "/my/chrome" }, "/my/chrome"],
    [all, { CHROMIUM_PATH: "/gone/chrome" }, "/opt/bin/google-chrome"],
    [["/cache/playwright/chrome"], {}, "/cache/playwright/chrome"],
  ] as const) {
    const { host, said, ran } = machine({ has, env });
    expect(await prepare(chromium, host)).toEqual([]);
    expect(host.env["CHROMIUM_PATH"]).toBe(found);
    expect([...said, ...ran]).toEqual([]);
  }
});

it("installs what is missing if allowed, after an update", async () => {
  const { host, ran } = machine({
    has: ["/usr/bin/apt-get", "/usr/bin/script"],
    isRoot: true,
    apt: ["/usr/bin/chromium", "/usr/bin/tmux", "/usr/bin/redis-server"],
  });
  expect(await prepare(needs, host)).toEqual([]);
  const install = "apt-get -q install -y --no-install-recommends";
  expect(ran).toEqual(["apt-get -q update", `${install} chromium-headless-shell`, `${install} chromium tmux redis-server`]);
  expect(host.env["REDIS_SERVER_PATH"]).toBe("/usr/bin/redis-server");
});

it("also installs Chromium's headless shell if allowed, and tells the tests where it is", async () => {
  const shell = "/usr/bin/chromium-headless-shell";
  const { host, ran } = machine({ has: ["/usr/bin/apt-get", "/usr/bin/chromium"], isRoot: true, apt: [shell] });
  expect(await prepare(chromium, host)).toEqual([]);
  expect(ran).toEqual(["apt-get -q install -y --no-install-recommends chromium-headless-shell"]);
  expect(host.env).toMatchObject({ CHROMIUM_PATH: "/usr/bin/chromium", HEADLESS_SHELL_PATH: shell });
  await prepare(chromium, host);
  expect(ran).toHaveLength(1);
});

it("downloads Playwright's Chromium if it may not install", async () => {
  const { host, ran } = machine({ has: ["/usr/bin/apt-get"], downloads: "/cache/playwright/chrome" });
  expect(await prepare(chromium, host)).toEqual([]);
  expect(ran).toEqual(["download"]);
});

it("says in one line how to get what it cannot install, and continues", async () => {
  const { host, said } = machine();
  expect((await prepare(needs, host)).map(({ name }) => name)).toEqual(["Chromium", "tmux", "Redis", "script"]);
  expect(said.filter((line) => line.includes("is missing"))).toEqual([
    "Chromium is missing, and the web inbox's tests will fail: install Chromium or Chrome, or set CHROMIUM_PATH to one.",
    "tmux is missing, and the tests of questions in a tmux popup will fail: install tmux, such as with `brew install tmux`.",
    "Redis is missing, and the tests of many hubs over one inbox will fail: install Redis or Valkey, or set REDIS_SERVER_PATH to its server.",
    "script is missing, and the tests that need a terminal around a program will fail: install util-linux's `script`.",
  ]);
});

it("does not require tmux on Windows", async () => {
  const { host } = machine({ platform: "win32", has: ["/usr/bin/google-chrome"] });
  expect(await prepare(needs, host)).toEqual([]);
});

it("finds only executable programs in PATH", async () => {
  const folder = await mkdtemp(join(tmpdir(), "askbox-path-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "tmux");
  await writeFile(program, "");
  const host = { env: { PATH: folder }, canRun };
  await chmod(program, 0o644);
  expect(inPath(host, ["tmux"])).toBeUndefined();
  await chmod(program, 0o755);
  expect(inPath(host, ["tmux"])).toBe(program);
});

it("starts each program once before any test, and reports those that do not start", async () => {
  const { host, said, ran } = machine({ has: ["/usr/bin/chromium", "/usr/bin/redis-server"] });
  await startFirst(needs, host);
  expect(ran).toEqual([expect.stringMatching(/^\/usr\/bin\/chromium .*about:blank$/), "/usr/bin/redis-server --version"]);
  expect(said).toEqual(["Starting Chromium…", "Starting Redis…"]);
  await startFirst(needs, { ...host, run: async () => false });
  expect(said.at(-1)).toBe("Redis does not start, and the tests of many hubs over one inbox will fail.");
});
