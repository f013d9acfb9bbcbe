import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { AskboxError, type Clock, standardPlatform, toAskboxError } from "@askbox/core";
import {
  checkHealth,
  createLogger,
  ensurePrivateFolder,
  type HubFile,
  homeFiles,
  homeFolders,
  type Logger,
  olderHubError,
  type ProcessLock,
  readHubFile,
  takeLock,
} from "@askbox/home";
import { byeReasons } from "@askbox/wire";
import { finishRestore } from "./backup/restore.ts";
import { serveHome } from "./serve.ts";
import { type HubFlags, readSettings } from "./settings.ts";

/** How long to look for the hub that has the lock, in ms: one that is closing takes up to 5 s. */
const raceDeadline = 15_000;

/**
 * V8 lets garbage grow to several times of what is in use before it collects it, and its space for new objects to 96 MB. With these, a flood of
 * large requests costs a hub a third of the memory.
 */
const collectEarly = ["--semi-space-growth-factor=1", "--heap-growing-percent=50"];

/** What a hub reports once it is running. */
interface HubReady {
  url: string;
  pid: number;
  version: string;
}

interface RunHubOptions {
  flags?: HubFlags;
  env?: Readonly<Record<string, string | undefined>>;
  /** Started by a person in a terminal; otherwise it was started by a client, prints nothing, and exits when idle. */
  foreground: boolean;
  /** Whether no hub will follow it: clients are told that the demonstration has ended. Default false. */
  isDemo?: boolean;
  hubVersion: string;
  /** The folder of the built web inbox; without it the hub serves no page. */
  web?: string | undefined;
  /** The command line that runs `askbox`; by default that of this process, without its subcommand. */
  askboxCommand?: readonly string[];
  stdout?: { write(text: string): unknown };
  stderr?: { write(text: string): unknown };
  /** Stops the hub, like SIGINT. */
  signal?: AbortSignal;
  onReady?(hub: HubReady): void;
  /** Called with the reason the hub could not run or failed, instead of writing it to stderr. */
  onFailure?(error: AskboxError): void;
}

/**
 * Runs the hub of a home until it is stopped, has been idle for long enough, or gets SIGTERM, SIGINT or SIGHUP; resolves with the exit
 * code. There is one hub per home: in the background the others exit with 0 once it is running, in the foreground with 1 and a message.
 */
export async function runHub(options: RunHubOptions): Promise<number> {
  const { stdout = process.stdout, stderr = process.stderr } = options;
  try {
    return await run({ ...options, stdout, stderr });
  } catch (thrown) {
    const error = toAskboxError(thrown);
    if (options.onFailure === undefined) stderr.write(`askbox hub: ${error.message}\n`);
    else options.onFailure(error);
    return 1;
  }
}

async function run(options: RunHubOptions & Required<Pick<RunHubOptions, "stdout" | "stderr">>): Promise<number> {
  const { flags = {}, env = process.env, foreground, hubVersion: version, stdout, stderr } = options;
  // For the files that SQLite creates itself.
  process.umask(0o077);
  for (const flag of collectEarly) setFlagsFromString(flag);
  const folders = homeFolders({ env });
  const files = homeFiles(folders);
  let settings = readSettings({ flags, env, folders, foreground });
  ensurePrivateFolder(folders.data);
  const entry = await takeLockOrFindHub(files.lock, folders, () => !foreground && isAbandoned());
  if (entry === undefined) return 0;
  if ("winner" in entry) {
    if (!foreground) return 0;
    throw new AskboxError("CONFLICT", `A hub is already running at ${entry.winner.url} (pid ${entry.winner.pid}).`);
  }

  // Its settings are those of the backup then.
  const isRestored = finishRestore(folders);
  if (isRestored) settings = readSettings({ flags, env, folders, foreground });
  const logger = createLogger({
    level: settings.config.logLevel,
    file: files.log,
    part: "hub",
    ...(foreground && !flags.json && { stderr }),
  });
  for (const warning of settings.warnings) logger.log("warn", warning);
  if (isRestored) logger.log("warn", "A restore that was interrupted has been finished");
  try {
    const stopping = Promise.withResolvers<string>();
    let isOnPurpose = false;
    const hub = await serveHome({
      folders,
      files,
      settings,
      version,
      env,
      web: options.web,
      askboxCommand: options.askboxCommand ?? [process.execPath, ...process.execArgv, resolve(process.argv[1] ?? "askbox")],
      foreground,
      log: logger.log,
      onStop() {
        isOnPurpose = true;
        stopping.resolve("It was told to stop.");
      },
    });
    const ready: HubReady = { url: hub.url, pid: process.pid, version };
    logger.log("info", "The hub is ready", { ...ready, instance: hub.instance });
    if (flags.json) stdout.write(`${JSON.stringify(ready)}\n`);
    else if (foreground) stdout.write(`askbox hub ${version} at ${hub.url} (pid ${process.pid}). Ctrl-C stops it; nothing is lost.\n`);
    options.onReady?.(ready);

    const stopIdle = exitWhenIdle({
      clock: standardPlatform(globalThis).clock,
      seconds: settings.idleExit,
      isBusy: hub.isBusy,
      visits: hub.visits,
      leave: () => stopping.resolve("It was idle."),
    });
    const release = stopOn(options.signal, (why) => stopping.resolve(why), logger);
    const why = await stopping.promise;
    stopIdle();
    logger.log("info", "The hub stops", { why });
    await hub.close(options.isDemo === true ? byeReasons.ended : isOnPurpose ? byeReasons.stopped : `The hub stops: ${why}`);
    release();
    return 0;
  } catch (error) {
    // Only to the file: stderr gets a single sentence.
    const { log, flush } = createLogger({ file: files.log, part: "hub" });
    log("error", "The hub failed", { error: toAskboxError(error).message });
    await flush();
    throw error;
  } finally {
    entry.lock.release();
    await logger.flush();
  }
}

/**
 * Whether the client that started this hub has given up: it removes the file that it gave it as stderr. Such a hub must not take over later,
 * at a moment that nobody expects.
 */
function isAbandoned(): boolean {
  try {
    const stderr = fstatSync(2);
    return stderr.isFile() && stderr.nlink === 0;
  } catch {
    return false;
  }
}

/** The lock, or the hub that has it; undefined if nobody waits for this hub any more. */
async function takeLockOrFindHub(
  path: string,
  folders: ReturnType<typeof homeFolders>,
  isUnwanted: () => boolean,
): Promise<{ lock: ProcessLock } | { winner: HubFile } | undefined> {
  const deadline = performance.now() + raceDeadline;
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst && isUnwanted()) return undefined;
    // Retried each time, since the process that has it may be about to exit.
    const lock = await takeLock(path);
    if (lock !== undefined) return { lock };
    const hub = readHubFile(folders);
    const verdict = hub && (await checkHealth(hub));
    if (hub !== undefined && verdict === "ours") return { winner: hub };
    if (hub !== undefined && verdict === "older") throw olderHubError(hub);
    if (performance.now() > deadline) {
      throw new AskboxError("CONFLICT", "Another hub of this home neither answers nor ends; end its process, whose id is in hub.json.");
    }
    await pause(20 + Math.random() * 60);
  }
}

/** Stops the hub on signals and uncaught errors: stored data is safe, and clients start the hub again. */
function stopOn(signal: AbortSignal | undefined, stop: (why: string) => void, { log }: Logger): () => void {
  const onSignal = (name: NodeJS.Signals) => stop(`It got ${name}.`);
  const onAbort = () => stop("It was told to stop.");
  const onFault = (fault: unknown) => {
    log("error", "Unhandled error", {
      error: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    });
    process.exitCode = 1;
    stop("Something failed.");
  };
  const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const name of names) process.on(name, onSignal);
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return () => {
    for (const name of names) process.off(name, onSignal);
    process.off("uncaughtException", onFault);
    process.off("unhandledRejection", onFault);
    signal?.removeEventListener("abort", onAbort);
  };
}

interface IdleExitOptions {
  clock: Clock;
  /** The idle time before it exits; 0 for never. */
  seconds: number;
  /** Whether anything is connected or registered, or a session is pending. A failing check counts as busy. */
  isBusy(): Promise<boolean>;
  /** Increases with each request, so that requests between two checks are noticed. */
  visits(): number;
  leave(): void;
}

/** Calls back when a hub has been idle for long enough; within a tenth of the time. Returns a function that stops it. */
export function exitWhenIdle({ clock, seconds, isBusy, visits, leave }: IdleExitOptions): () => void {
  if (seconds === 0) return () => {};
  const limit = seconds * 1_000;
  const step = Math.min(Math.max(limit / 10, 50), 10_000);
  let idleSince = clock.monotonic();
  let seen = visits();
  let isOver = false;
  const look = async () => {
    const isInUse = await isBusy().catch(() => true);
    if (isOver) return;
    const now = clock.monotonic();
    if (isInUse || visits() !== seen) {
      seen = visits();
      idleSince = now;
    }
    if (now - idleSince >= limit) return leave();
    cancel = clock.setTimer(step, () => void look());
  };
  let cancel = clock.setTimer(step, () => void look());
  return () => {
    isOver = true;
    cancel();
  };
}
