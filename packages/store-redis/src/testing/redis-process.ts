import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { freePort } from "./free-port.ts";

/** Options of a Redis server for a test. */
export interface RedisProcessOptions {
  /** Settings as in redis.conf, such as `{ appendonly: "yes" }`. By default it appends to a file and syncs each write. */
  settings?: Readonly<Record<string, string>> | undefined;
  /** `sentinel` to start a sentinel. */
  mode?: "server" | "sentinel" | undefined;
  /** Configuration lines that `settings` cannot express, such as those of a sentinel. */
  lines?: readonly string[] | undefined;
}

/** A Redis server for one test, in a folder that is removed with it. */
export interface RedisProcess {
  readonly port: number;
  /** The current process; a new one after each start. */
  readonly pid: number;
  readonly folder: string;
  /** `redis://127.0.0.1:PORT/0`. */
  readonly url: string;
  /** Runs one command over a separate connection. */
  command<Reply = unknown>(...args: string[]): Promise<Reply>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Starts it again with the same port and files; `settings` replace the usual ones this time. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Pauses the process until `resume`; its sockets stay open. */
  pause(): void;
  resume(): void;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** How long a server may take to start, in ms. */
const startTimeout = 15_000;

/** The binary: `REDIS_SERVER_PATH`, else redis-server or valkey-server in PATH. */
export const redisProgram = (): string => process.env["REDIS_SERVER_PATH"] ?? "redis-server";

/** Starts a server on a free port and waits until it responds. Throws a clear error if the binary is missing. */
export async function startRedis(options: RedisProcessOptions = {}): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-redis-"));
  const port = await freePort();
  const settings = { appendonly: "yes", appendfsync: "always", save: "", ...options.settings };
  let child: ChildProcess | undefined;

  const connected = async <Result>(work: (client: ReturnType<typeof createClient>) => Promise<Result>): Promise<Result> => {
    const { requirepass } = options.settings ?? {};
    const client = createClient({
      socket: { host: "127.0.0.1", port, reconnectStrategy: false, connectTimeout: 2_000 },
      RESP: 2,
      disableOfflineQueue: true,
      ...(requirepass !== undefined && options.mode !== "sentinel" && { password: requirepass }),
    }) as unknown as ReturnType<typeof createClient>;
    client.on("error", () => {});
    try {
      await client.connect();
      return await work(client);
    } finally {
      if (client.isOpen) client.destroy();
    }
  };
  const command = <Reply>(...args: string[]) => connected((client) => client.sendCommand<Reply>(args));

  const start = async (thisTime: Readonly<Record<string, string>> = {}) => {
    const flags = Object.entries({ ...settings, ...thisTime }).flatMap(([name, value]) => [`--${name}`, value]);
    const config = options.mode === "sentinel" ? writeConfig(folder, port, options.lines ?? []) : [];
    const common =
      options.mode === "sentinel" ? ["--sentinel"] : ["--port", String(port), "--dir", folder, "--bind", "127.0.0.1", ...flags];
    const started = spawn(redisProgram(), [...config, ...common], { stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    let output = "";
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (data: Buffer) => {
        output = `${output}${data}`.slice(-4_000);
      });
    }
    let failure: string | undefined;
    started.on("error", (error) => {
      failure = `redis-server cannot be run (${error.message}); install Redis, or set REDIS_SERVER_PATH to its server.`;
    });
    started.on("exit", (code) => {
      failure ??= `redis-server ended with ${code}: ${output}`;
    });
    const until = performance.now() + startTimeout;
    for (;;) {
      if (failure !== undefined) throw new Error(failure);
      if (await isReady(port, () => command<string>("PING"))) return;
      if (performance.now() > until) throw new Error(`redis-server did not answer within ${startTimeout} ms: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = async () => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, "exit");
    running.kill("SIGKILL");
    await gone;
  };

  try {
    await start();
  } catch (error) {
    await kill();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    folder,
    url: `redis://127.0.0.1:${port}/0`,
    get pid() {
      return child?.pid ?? 0;
    },
    command,
    kill,
    start,
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    async stop() {
      child?.kill("SIGCONT");
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A sentinel rewrites its configuration, so it must be a file. */
function writeConfig(folder: string, port: number, lines: readonly string[]): string[] {
  const path = join(folder, "sentinel.conf");
  writeFileSync(path, [`port ${port}`, `dir ${folder}`, "bind 127.0.0.1", ...lines, ""].join("\n"));
  return [path];
}

async function isReady(port: number, ping: () => Promise<string>): Promise<boolean> {
  const isListening = await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
  if (!isListening) return false;
  // One that requires a password is ready as well.
  return ping().then(
    () => true,
    (error: Error) => /NOAUTH|WRONGPASS/.test(error.message),
  );
}
