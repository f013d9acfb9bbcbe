import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type ConnectHubOptions,
  connectHub,
  type FoundHub,
  findHub,
  type HomeFiles,
  type HubFile,
  homeFiles,
  homeFolders,
  readHubFile,
} from "@askbox/home";
import { freePort } from "@askbox/store-redis/testing";
import type { WireClient } from "@askbox/wire";
import { onTestFinished } from "vitest";
import { lastLines, onFailureShow, until } from "../../support/until.ts";
import { isAlive, killProcess, processesOf } from "./processes.ts";

const script = resolve(import.meta.dirname, "../../../apps/askbox/bin/askbox.js");
if (!existsSync(resolve(script, "../../dist/main.js"))) throw new Error("These tests run the built command; run `pnpm build` first.");

/** The built command, with the Node that runs the tests. */
export const askbox: readonly string[] = [process.execPath, script];
const hubCommand: readonly string[] = [...askbox, "hub", "--background"];

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A hub's process in the foreground. */
export interface HubProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Ends it with a signal and resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface HomeOptions {
  /** Where the home is created; default the system's temporary folder. */
  parent?: string;
  /** The home itself, which is then kept after the test. */
  folder?: string;
  env?: Record<string, string>;
  /** Vitest's cleanup for one test; concurrent tests pass their own. */
  onTestFinished?: (end: () => Promise<void>) => void;
}

/** A home folder with everything that runs in it: nothing outlives the test. */
export interface FaultHome {
  readonly folder: string;
  readonly files: HomeFiles;
  readonly env: Record<string, string>;
  /** Starts a hub and resolves when it serves. Rejects with its output if it exits instead. */
  startHub(options?: { env?: Record<string, string>; command?: readonly string[] }): Promise<HubProcess>;
  /** The hub named by `hub.json`, if it is running. */
  hub(): HubFile | undefined;
  /** Where requests of this role go; a hub is started if there is none. */
  found(role: "asker" | "desk"): Promise<FoundHub>;
  /** A connection that is closed after the test. `start` in the options allows it to start a hub. */
  connect(options: Partial<ConnectHubOptions> & Pick<ConnectHubOptions, "role">): Promise<WireClient>;
  /** Runs the command to completion. */
  run(args: readonly string[], options?: { env?: Record<string, string> }): Promise<Ran>;
  /** The entries of the JSON log. */
  log(): Record<string, unknown>[];
  /** Closes the connections and kills every process of this home. */
  clear(): Promise<void>;
}

export function faultHome(options: HomeOptions = {}): FaultHome {
  const folder = options.folder ?? mkdtempSync(join(options.parent ?? tmpdir(), "askbox-faults-"));
  const { PATH = "", TMPDIR } = process.env;
  const env: Record<string, string> = {
    PATH,
    HOME: folder,
    ASKBOX_HOME: folder,
    ASKBOX_ATTENTION: "none",
    ASKBOX_LIMITS_ASKS_PER_MINUTE: "1000000",
    ASKBOX_LIMITS_REQUESTS_PER_MINUTE: "10000000",
    ASKBOX_LIMITS_PENDING: "100000",
    ...(TMPDIR && { TMPDIR }),
    ...options.env,
  };
  const folders = homeFolders({ env });
  const files = homeFiles(folders);
  const clients = new Set<WireClient>();
  const children = new Set<ChildProcess>();
  const launched: (() => string)[] = [];
  let port: number | undefined;

  const launch = (command: readonly string[], more: Record<string, string> = {}) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { cwd: folder, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    }
    launched.push(() => `askbox ${args.slice(1).join(" ")} printed:\n${lastLines(said.stdout + said.stderr)}`);
    const ended = once(child, "close").then(([code]): Ran => {
      children.delete(child);
      return { code: code as number | null, ...said };
    });
    return { child, said, ended };
  };

  const logText = () => (existsSync(files.log) ? readFileSync(files.log, "utf8") : "");
  const hide = onFailureShow(() =>
    [...launched.slice(-3).map((print) => print()), `The log of ${folder}:\n${lastLines(logText())}`].join("\n"),
  );
  const home: FaultHome = {
    folder,
    files,
    env,
    async startHub({ env: more = {}, command } = {}) {
      // The next hub has the same one, and nobody takes it in between.
      port ??= await freePort();
      const { child, said, ended } = launch(command ?? [...askbox, "hub", "--json", "--port", String(port)], more);
      const pid = child.pid ?? 0;
      await until("the hub says that it is ready", () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The hub ended: ${said.stderr}`);
        // A hub that fails reports this in the same format, and exits.
        return /"url".*\n/s.test(said.stdout);
      });
      return {
        pid,
        child,
        async kill(signal = "SIGKILL") {
          killProcess(pid, signal);
          await ended;
        },
      };
    },
    hub() {
      const hub = readHubFile(folders);
      return hub !== undefined && isAlive(hub.pid) ? hub : undefined;
    },
    found: (role) => findHub({ role, env, start: true, hubCommand }),
    async connect({ role, ...rest }) {
      const client = await connectHub({
        role,
        ...(role === "desk" && { surface: "web" as const }),
        agent: { name: "faults", version: "1" },
        env,
        hubCommand,
        ...rest,
      });
      clients.add(client);
      return client;
    },
    run: (args, { env: more = {} } = {}) => launch([...askbox, ...args], more).ended,
    log: () =>
      logText()
        .split("\n")
        // The last line may be incomplete if its process was killed.
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async clear() {
      for (const client of clients) client.close();
      const pids = () => [...[...children].map((child) => child.pid ?? 0), ...processesOf(folder), readHubFile(folders)?.pid ?? 0];
      // More than once: a hub that was being started when its starter exited appears a moment later.
      await until(`the processes of ${folder} are gone`, () => {
        const alive = pids().filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid));
        for (const pid of alive) killProcess(pid);
        return alive.length === 0;
      });
    },
  };
  (options.onTestFinished ?? onTestFinished)(async () => {
    await home.clear();
    hide();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return home;
}
