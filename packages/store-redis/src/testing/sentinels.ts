import { type RedisProcess, startRedis } from "./redis-process.ts";

/** A master, its replica, and a sentinel that promotes the replica when the master fails. */
export interface Sentinels {
  readonly master: RedisProcess;
  readonly replica: RedisProcess;
  readonly sentinel: RedisProcess;
  /** `redis+sentinel://127.0.0.1:PORT/askbox-master`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts all three and waits until the sentinel knows the replica. */
export async function startSentinels(settings: Readonly<Record<string, string>> = {}): Promise<Sentinels> {
  const started: RedisProcess[] = [];
  const start = async (options: Parameters<typeof startRedis>[0]) => {
    const process = await startRedis(options);
    started.push(process);
    return process;
  };
  const stop = async () => {
    await Promise.all(started.map((process) => process.stop()));
  };
  try {
    const fast = { "repl-diskless-sync-delay": "0", ...settings };
    const master = await start({ settings: fast });
    const replica = await start({ settings: { ...fast, replicaof: `127.0.0.1 ${master.port}` } });
    await until(
      () => master.command<string>("INFO", "replication"),
      (info) => info.includes("state=online"),
    );
    const name = "askbox-master";
    const sentinel = await start({
      mode: "sentinel",
      lines: [
        `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
        `sentinel down-after-milliseconds ${name} 500`,
        `sentinel failover-timeout ${name} 3000`,
      ],
    });
    await until(
      () => sentinel.command<unknown[]>("SENTINEL", "replicas", name),
      (replicas) => replicas.length === 1,
    );
    // It asks the servers every 10 s otherwise, and leaves an old master alone for four times 2 s. Not more often: a failover is given up if
    // the replica's last reply is three periods old. Redis before 7 doesn't know these.
    await sentinel.command("SENTINEL", "DEBUG", "info-period", "1000", "publish-period", "100").catch(() => {});
    return { master, replica, sentinel, url: `redis+sentinel://127.0.0.1:${sentinel.port}/${name}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks a server until its reply is the expected one. After `timeout` ms it throws with the last reply. */
export async function until<Reply>(ask: () => Promise<Reply>, isExpected: (reply: Reply) => boolean, timeout = 15_000): Promise<void> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const reply = await ask();
    if (isExpected(reply)) return;
    if (performance.now() > deadline)
      throw new Error(`In ${timeout / 1_000} s Redis did not come to this: ${isExpected}. It last replied ${JSON.stringify(reply)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
