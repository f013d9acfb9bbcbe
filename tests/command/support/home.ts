import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { killProcess, processesOf } from "../../faults/support/processes.ts";
import { bundleOf, compileCache, program as programOf } from "../../setup/programs.ts";
import { lastLines, onFailureShow, until } from "../../support/until.ts";

/** The command from source, with the Node that runs the tests. */
export const program = programOf("askbox");

interface Ran {
  /** The exit code, or the signal that ended it. */
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves with the match once stdout or stderr has one; rejects if the command exits first. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  done: Promise<Ran>;
}

interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
}

/** A home folder with the command. */
export interface Home {
  path: string;
  /** Starts it as a process. */
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs it to completion in this process, unless another command was given: the result is the same, and takes a tenth of the time. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs it to completion as a separate process, for commands that read the working directory or could become a foreground hub. */
  spawn(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The first pending session of `askbox list`, once there is one. */
  pending(): Promise<{ id: string; title: string }>;
  /** Runs a line in a POSIX shell, as if it had been pasted. */
  shell(line: string): Promise<Ran>;
  /** Serves its hub in this process, which takes a tenth of the time. Nobody may start another one. */
  serve(env?: Record<string, string>): Promise<void>;
  /** Called when the home is closed, before its hub is stopped. */
  whenClosed(end: () => Promise<void>): void;
  /** Stops the hub and remaining processes, and deletes the folder. */
  close(): Promise<void>;
}

export interface HomeOptions {
  /** The command to run in it. Default `program`. */
  command?: readonly string[];
  /** Folders in PATH before this process's own. */
  path?: readonly string[];
}

export async function openHome({ command, path: folders = [] }: HomeOptions = {}): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), "askbox-command-"));
  const running = new Set<Running["child"]>();
  const ends: (() => Promise<void>)[] = [];
  const launched: (() => string)[] = [];
  const hide = onFailureShow(() =>
    launched
      .slice(-3)
      .map((print) => print())
      .join("\n"),
  );
  // Not this process's whole environment, since the tests may themselves run in an agent's shell.
  const { PATH = "", TMPDIR, SystemRoot } = process.env;
  const environment = {
    PATH: [...folders, PATH].join(delimiter),
    HOME: path,
    ASKBOX_HOME: path,
    // No browser opens on the machine that runs the tests.
    ASKBOX_ATTENTION: "none",
    ...compileCache(),
    ...(TMPDIR && { TMPDIR }),
    ...(SystemRoot && { SystemRoot }),
  };

  const launch = ([file = "", ...args]: readonly string[], { stdin, env = {} }: RunOptions = {}): Running => {
    const child = spawn(file, args, { cwd: path, env: { ...environment, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    child.stdin.on("error", () => {});
    if (stdin !== undefined) child.stdin.end(stdin);
    const said = { stdout: "", stderr: "" };
    const listeners = new Set<() => void>();
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
        for (const listener of listeners) listener();
      });
    }
    launched.push(() => `${args.slice(1).join(" ")} printed:\n${lastLines(said.stdout + said.stderr)}`);
    const done = once(child, "close").then(([code, signal]): Ran => {
      running.delete(child);
      return { code: (code ?? signal) as number | NodeJS.Signals, ...said };
    });
    return {
      child,
      done,
      says: (pattern) =>
        new Promise((found, missed) => {
          const look = () => {
            const match = pattern.exec(said.stdout) ?? pattern.exec(said.stderr);
            if (match === null) return;
            listeners.delete(look);
            found(match);
          };
          listeners.add(look);
          look();
          void done.then(({ code, stdout, stderr }) =>
            missed(new Error(`It ended with ${code} and never said ${pattern}:\n${stdout}\n${stderr}`)),
          );
        }),
    };
  };
  const spawned: Home["spawn"] = (args, options) => launch([...(command ?? program), ...args], { stdin: "", ...options }).done;
  const here = (): Promise<typeof import("../../../apps/askbox/test/fixtures/askbox-here.ts")> =>
    import(/* @vite-ignore */ pathToFileURL(bundleOf("askbox-here")).href);
  const runHere: Home["run"] = async (args, { stdin = "", env = {} } = {}) =>
    (await here()).runHere(args, { script: bundleOf("askbox"), env: { ...environment, ...env }, cwd: path, stdin });
  let served: { close(reason: string): Promise<void> } | undefined;
  const run = command === undefined ? runHere : spawned;

  return {
    path,
    start: (args, options) => launch([...(command ?? program), ...args], options),
    run,
    spawn: spawned,
    pending: () => until("something is pending", async () => JSON.parse((await run(["list", "--json"])).stdout)[0]),
    shell: (line) => launch(["/bin/sh", "-c", line], { stdin: "" }).done,
    async serve(env = {}) {
      served = await (await here()).serveHubHere({ ...environment, ...env });
    },
    whenClosed: (end) => void ends.push(end),
    async close() {
      for (const end of ends) await end();
      // Waiting commands first, since they would start the hub again.
      for (const child of running) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      // Told to stop, so that nobody who is still connected starts another one.
      if (existsSync(join(path, "hub.json"))) await run(["hub", "stop"]);
      await served?.close("The test has ended.");
      // A hub that was still starting has no file yet.
      await until(`the processes of ${path} are gone`, () => {
        const alive = processesOf(path);
        for (const pid of alive) killProcess(pid);
        return alive.length === 0;
      });
      hide();
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
