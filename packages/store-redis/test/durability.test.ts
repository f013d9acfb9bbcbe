import { describe, expect, test } from "vitest";
import { confirmationFor, readServerFacts, redisDurability, type Send, type ServerFacts } from "../src/writer.ts";

const sound: ServerFacts = {
  engine: "Redis 7.0.15",
  appendonly: true,
  appendfsync: "always",
  appendFailed: false,
  snapshots: true,
  evictionPolicy: "noeviction",
  maxmemory: 0,
  replicas: 0,
  canWaitForDisk: false,
  refused: [],
};

const of = (facts: Partial<ServerFacts>, replicasAsked?: number) => {
  const all = { ...sound, ...facts };
  return redisDurability(all, confirmationFor(all, replicasAsked));
};

/** A server with these responses, which rejects everything else. */
const server =
  (replies: Readonly<Record<string, unknown>>): Send =>
  async <Reply>(args: readonly string[]): Promise<Reply> => {
    const reply = replies[args.join(" ")];
    if (reply === undefined) throw new Error("NOPERM this user has no permissions to run the command");
    return reply as Reply;
  };

describe("the durability of an answer with Redis' settings", () => {
  test("is disk with an append-only file that is synced on each write", () => {
    expect(of({})).toMatchObject({ level: "disk", advice: [], confirmation: { disk: false, replicas: 0 } });
    expect(of({}).description).toBe("Redis 7.0.15: every change is on its disk before it is confirmed (appendfsync always).");
  });

  test("is disk if the server supports WAITAOF, even if it syncs once a second", () => {
    const waited = of({ engine: "Valkey 8.1.0", appendfsync: "everysec", canWaitForDisk: true });
    expect(waited).toMatchObject({ level: "disk", advice: [], confirmation: { disk: true } });
    expect(waited.description).toContain("(WAITAOF)");
  });

  // promise: redis-durability-reported
  test.each<[string, Partial<ServerFacts>, string, RegExp]>([
    ["syncs once a second", { appendfsync: "everysec" }, "unsure", /last two seconds: set appendfsync always/],
    ["never syncs", { appendfsync: "no", canWaitForDisk: true }, "unsure", /set appendfsync always/],
    ["has snapshots alone", { appendonly: false }, "unsure", /after its last snapshot is lost .*: set appendonly yes/],
    ["keeps nothing", { appendonly: false, snapshots: false }, "none", /everything is lost when it restarts/],
    ["cannot write its file", { appendFailed: true }, "unsure", /append-only file failed/],
    ["may evict anything", { evictionPolicy: "allkeys-lru", maxmemory: 1 }, "unsure", /set maxmemory-policy noeviction/],
    [
      "does not say",
      { appendonly: undefined, appendfsync: undefined, evictionPolicy: undefined, refused: ["CONFIG GET"] } as never,
      "unsure",
      /refuses CONFIG GET/,
    ],
  ])("comes with advice if Redis %s", (_, facts, level, advice) => {
    const { level: found, advice: sentences, description } = of(facts);
    expect(found).toBe(level);
    expect(sentences.join(" ")).toMatch(advice);
    expect(description).toContain(sentences.join(" "));
  });

  test("is not affected by evicting expiring keys, or none", () => {
    expect(of({ evictionPolicy: "volatile-lru", maxmemory: 1 }).level).toBe("disk");
    expect(of({ evictionPolicy: "allkeys-lru", maxmemory: 0 }).level).toBe("disk");
  });

  test("waits for one replica if there is any, or for as many as configured, and says so if configured for none", () => {
    expect(of({ replicas: 2 })).toMatchObject({ level: "replicated", confirmation: { replicas: 1 } });
    expect(of({ replicas: 0 }, 2)).toMatchObject({ level: "replicated", confirmation: { replicas: 2 } });
    expect(of({ replicas: 2 }, 0)).toMatchObject({ level: "disk", confirmation: { replicas: 0 } });
    expect(of({ replicas: 2 }, 0).advice.join(" ")).toMatch(/a failover can lose the last answers/);
  });
});

describe("asking a server for its settings", () => {
  test("reads all of them", async () => {
    const facts = await readServerFacts(
      server({
        "INFO server": "# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.0.1\r\n",
        "INFO persistence": "aof_enabled:1\r\naof_last_write_status:ok\r\n",
        "INFO memory": "maxmemory:100\r\nmaxmemory_policy:noeviction\r\n",
        "INFO replication": "role:master\r\nconnected_slaves:2\r\n",
        "CONFIG GET append*": ["appendonly", "yes", "appendfsync", "everysec"],
        "CONFIG GET save": ["save", ""],
        "CONFIG GET min-replicas-to-write": ["min-replicas-to-write", "1"],
        "COMMAND INFO WAITAOF": [["waitaof", 4]],
      }),
    );
    expect(facts).toEqual({
      engine: "Valkey 8.0.1",
      appendonly: true,
      appendfsync: "everysec",
      appendFailed: false,
      snapshots: false,
      evictionPolicy: "noeviction",
      maxmemory: 100,
      isReplica: false,
      replicas: 2,
      replicasNeeded: 1,
      canWaitForDisk: true,
      refused: [],
    });
  });

  test("continues without permission to read them, and reports what was refused", async () => {
    const facts = await readServerFacts(server({}));
    expect(facts).toMatchObject({ engine: "Redis", canWaitForDisk: false });
    expect(facts.refused).toContain("CONFIG GET");
    expect(redisDurability(facts, confirmationFor(facts, undefined)).level).toBe("unsure");
  });

  test("fails if the connection does", async () => {
    await expect(
      readServerFacts(async () => {
        throw new Error("LOADING Redis is loading the dataset in memory");
      }),
    ).rejects.toThrow("LOADING");
  });
});
