import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that the tests need besides npm packages. */
export interface Need {
  name: string;
  /** Which tests need it, for the message. */
  why: string;
  /** Finds it; undefined if it is missing. */
  find(host: Host): string | undefined;
  /** Its Debian package. */
  apt: string;
  /** Gets it without root; undefined if that is not possible. */
  download?: (host: Host) => Promise<void>;
  /** How to get it by hand. */
  hint: string;
  /** Set if another program does the same, only slower. It is installed if apt has it, and optional otherwise. */
  optional?: true;
  /** Platforms on which the tests don't need it. */
  notOn?: readonly NodeJS.Platform[];
  /** The variable from which the tests read its path. */
  variable?: string;
  /** Arguments that make it start and exit. Its first start on a machine can take a minute, which no test should wait for. */
  trial?: readonly string[];
}

/** The parts of the machine that are inspected and changed here. */
export interface Host {
  platform: NodeJS.Platform;
  isRoot: boolean;
  env: NodeJS.ProcessEnv;
  /** Whether the file exists and is executable. */
  canRun(path: string): boolean;
  /** Resolves with whether the program succeeded. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<boolean>;
  /** The path of Playwright's own Chromium, whether it exists or not. */
  playwrightChromium(): string | undefined;
  downloadChromium(): Promise<void>;
  say(line: string): void;
}

/** The first of these programs in PATH. */
export function inPath(host: Pick<Host, "env" | "canRun">, names: readonly string[]): string | undefined {
  const folders = (host.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => host.canRun(path));
}

export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

export const needs: readonly Need[] = [
  {
    name: "Chromium's headless shell",
    // It has no windows, notifications or installed pages, and needs a third of the processor time for everything else.
    why: "most of the web inbox's tests",
    find: (host) => inPath(host, ["chromium-headless-shell", "chrome-headless-shell"]),
    apt: "chromium-headless-shell",
    hint: "install chromium-headless-shell",
    optional: true,
    variable: "HEADLESS_SHELL_PATH",
  },
  {
    name: "Chromium",
    why: "the web inbox's tests",
    find(host) {
      const named = host.env["CHROMIUM_PATH"];
      if (named !== undefined && host.canRun(named)) return named;
      const own = host.playwrightChromium();
      const system = inPath(host, ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]);
      return system ?? (own !== undefined && host.canRun(own) ? own : undefined);
    },
    apt: "chromium",
    download: (host) => host.downloadChromium(),
    hint: "install Chromium or Chrome, or set CHROMIUM_PATH to one",
    variable: "CHROMIUM_PATH",
    trial: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom", "about:blank"],
  },
  {
    name: "tmux",
    why: "the tests of questions in a tmux popup",
    find: (host) => inPath(host, ["tmux"]),
    apt: "tmux",
    hint: "install tmux, such as with `brew install tmux`",
    notOn: ["win32"],
  },
  {
    name: "Redis",
    why: "the tests of many hubs over one inbox",
    find(host) {
      const named = host.env["REDIS_SERVER_PATH"];
      return named !== undefined && host.canRun(named) ? named : inPath(host, ["redis-server", "valkey-server"]);
    },
    apt: "redis-server",
    hint: "install Redis or Valkey, or set REDIS_SERVER_PATH to its server",
    notOn: ["win32"],
    variable: "REDIS_SERVER_PATH",
    trial: ["--version"],
  },
  {
    name: "Python",
    why: "the test of the example in Python",
    find: (host) => inPath(host, ["python3"]),
    apt: "python3",
    hint: "install Python 3.9 or newer",
    notOn: ["win32"],
  },
  {
    name: "script",
    why: "the tests that need a terminal around a program",
    find: (host) => inPath(host, ["script"]),
    apt: "bsdutils",
    hint: "install util-linux's `script`",
    notOn: ["win32"],
  },
];

/** Finds each program, gets those that are missing if possible, and prints how to get the others. Resolves with those still missing. */
export async function prepare(wanted: readonly Need[], host: Host): Promise<Need[]> {
  const isMissing = (need: Need) => !need.notOn?.includes(host.platform) && need.find(host) === undefined;
  const required = () => wanted.filter((need) => need.optional !== true && isMissing(need));
  if (host.isRoot && inPath(host, ["apt-get"]) !== undefined) {
    const apt = (...args: string[]) => host.run("apt-get", ["-q", ...args], { DEBIAN_FRONTEND: "noninteractive" });
    const install = (all: readonly Need[], ifKnown = "") => {
      host.say(`Installing ${all.map(({ name }) => name).join(", ")} for the tests${ifKnown}…`);
      return apt("install", "-y", "--no-install-recommends", ...all.map((need) => need.apt));
    };
    const isUpdated = required().length > 0 && (await apt("update"));
    for (const need of wanted) if (need.optional && isMissing(need)) await install([need], " if apt has it");
    if (isUpdated && required().length > 0) await install(required());
  }
  let missing = required();
  for (const need of missing) {
    if (need.download === undefined) continue;
    host.say(`Downloading ${need.name} for ${need.why}…`);
    // Whether it worked is checked below; the output above says why not.
    await need.download(host).catch((error: unknown) => host.say(String(error)));
  }
  missing = missing.filter(isMissing);
  for (const { name, why, hint } of missing) host.say(`${name} is missing, and ${why} will fail: ${hint}.`);
  for (const need of wanted) {
    const path = need.variable === undefined ? undefined : need.find(host);
    if (need.variable !== undefined && path !== undefined) host.env[need.variable] = path;
  }
  return missing;
}

/** Starts each program that exists, and reports those that fail to start. */
export async function startFirst(wanted: readonly Need[], host: Host): Promise<void> {
  for (const need of wanted) {
    const path = need.find(host);
    if (need.trial === undefined || path === undefined) continue;
    host.say(`Starting ${need.name}…`);
    if (!(await host.run(path, need.trial))) host.say(`${need.name} does not start, and ${need.why} will fail.`);
  }
}
