import { existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAskboxError, type SessionRecord } from "@askbox/core";
import { type AuditEntry, sealEntry } from "@askbox/core/audit";
import { anAsk, anOutcome, aRecord, seededIds, settled, testDigest } from "@askbox/core/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./temp-folder.ts";

const ids = seededIds(7);
const records: SessionRecord[] = Array.from({ length: 60 }, (_, index) => {
  const record = aRecord({ id: ids.session(), key: `key-${index}`, request: anAsk({ title: `Question ${index}` }) });
  return index % 2 === 0 ? settled(record) : record;
});

/** A store's file after a clean shutdown, and the file and log of a killed one. */
let whole: Buffer;
let crashed: { file: Buffer; log: Buffer };

beforeAll(async () => {
  const path = freshPath();
  const store = await openSqliteStore({ path });
  await Promise.all(records.slice(0, 50).map((record) => store.insert(record)));
  await Promise.all(
    records
      .filter(({ state }) => state === "pending")
      .slice(0, 3)
      .map(({ id }) => store.putDraft(draftOf(id), 0)),
  );
  await store.close();
  whole = readFileSync(path);
  const again = await openSqliteStore({ path });
  for (const record of records.slice(50)) await again.insert(record);
  crashed = { file: readFileSync(path), log: readFileSync(`${path}-wal`) };
  await again.close();
});

const draftOf = (sessionId: string) => ({ sessionId, revision: 1, fields: {}, updatedAt: 1, by: { surface: "web" as const } });

/** mulberry32, so that a failing round can be repeated by its number. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function withDamage(bytes: Buffer, seed: number): Buffer {
  const below = chance(seed);
  const damaged = Buffer.from(bytes);
  const at = below(damaged.length);
  const length = below(3) === 0 ? 1 + below(2_000) : 1;
  for (let place = at; place < Math.min(at + length, damaged.length); place += 1) damaged[place] = (damaged[place] ?? 0) ^ (1 + below(255));
  return damaged;
}

const damagedFiles = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes(".damaged-"));

/** The result of opening: how many of the expected records the store has, and whether it has any that were never written. */
async function openDamaged(path: string, expected: readonly SessionRecord[]) {
  const warnings: string[] = [];
  const store = await openSqliteStore({ path, log: (level, message) => void (level === "warn" && warnings.push(message)) });
  try {
    let kept = 0;
    for (const record of expected) {
      const found = await store.get(record.id);
      if (found === undefined) continue;
      expect(found).toEqual(record);
      kept += 1;
    }
    const { sessions } = await store.list({ limit: 1_000 });
    expect(sessions).toHaveLength(kept);
    expect(await store.insert(aRecord({ id: "after-the-damage" }))).toEqual({ inserted: true });
    return { kept, warnings, setAside: store.setAside };
  } finally {
    await store.close();
  }
}

describe("a damaged SQLite store", () => {
  // promise: damaged-header-file-kept, damaged-store-salvaged
  test("is kept next to what could be recovered, wherever the damage is", async () => {
    let salvagedRounds = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const path = freshPath();
      const bytes = withDamage(whole, seed);
      writeFileSync(path, bytes);
      try {
        const { kept, warnings, setAside } = await openDamaged(path, records.slice(0, 50));
        if (kept === 50 && setAside === undefined) continue;
        expect(setAside, `round ${seed}`).toBeDefined();
        expect(readFileSync(setAside?.path ?? "").equals(bytes), `round ${seed}`).toBe(true);
        expect(warnings.join("\n"), `round ${seed}`).toContain(setAside?.path);
        expect(setAside?.salvaged?.sessions, `round ${seed}`).toBe(kept);
        if (kept > 0) salvagedRounds += 1;
      } catch (error) {
        // If the version number itself is damaged, the file looks like a newer askbox's, and is left unchanged.
        if (!isAskboxError(error, "STORE_UNAVAILABLE")) throw error;
        expect(readFileSync(path).equals(bytes), `round ${seed}`).toBe(true);
      }
    }
    expect(salvagedRounds).toBeGreaterThan(10);
  });

  test("keeps the record of approvals, except for the damaged part", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    const entries: AuditEntry[] = [];
    for (const record of records.slice(0, 20)) {
      const last = entries.at(-1);
      const event = { at: 1, event: "decided", session: record.id, asker: record.asker, questions: [], outcome: anOutcome() } as const;
      const entry = await sealEntry(event, last, testDigest);
      await store.insert(record, { entry });
      entries.push(entry);
    }
    await store.close();
    const bytes = readFileSync(path);
    const title = bytes.indexOf("Question 3");
    bytes[title] = (bytes[title] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const salvaged = await openSqliteStore({ path });
    expect(salvaged.setAside).toBeDefined();
    expect(await salvaged.audit.list(0, 100)).toEqual(entries);
    await salvaged.close();
  });

  test("is kept with its log when the log is damaged, wherever the damage is", async () => {
    for (let seed = 101; seed <= 140; seed += 1) {
      const path = freshPath();
      const log = withDamage(crashed.log, seed);
      writeFileSync(path, crashed.file);
      writeFileSync(`${path}-wal`, log);
      const { kept, warnings, setAside } = await openDamaged(path, records);
      expect(kept, `round ${seed}`).toBeGreaterThanOrEqual(50);
      if (kept === records.length && setAside === undefined) continue;
      expect(setAside, `round ${seed}`).toBeDefined();
      expect(readFileSync(`${setAside?.path}-wal`).equals(log), `round ${seed}`).toBe(true);
      expect(warnings, `round ${seed}`).toHaveLength(1);
    }
  });

  test("is intact if only its process was killed", async () => {
    const path = freshPath();
    writeFileSync(path, crashed.file);
    writeFileSync(`${path}-wal`, crashed.log);
    expect(await openDamaged(path, records)).toEqual({ kept: records.length, warnings: [], setAside: undefined });
  });

  test("keeps the sessions on intact pages, and their drafts", async () => {
    const path = freshPath();
    writeFileSync(path, whole);
    const title = Buffer.from(`"title":"Question 20"`);
    const bytes = readFileSync(path);
    bytes.write("X", bytes.indexOf(title) + 12);
    writeFileSync(path, bytes);
    const { kept, setAside } = await openDamaged(path, records.slice(0, 50));
    expect(kept).toBe(49);
    expect(setAside?.salvaged).toEqual({ sessions: 49, drafts: 3 });
  });

  test("keeps a session if only the columns next to the record are damaged", async () => {
    const path = freshPath();
    writeFileSync(path, whole);
    const database = new DatabaseSync(path);
    database.exec("UPDATE sessions SET deadline_at = 1 WHERE number = 2");
    database.close();
    expect(await openDamaged(path, records.slice(0, 50))).toMatchObject({ kept: 50, setAside: { salvaged: { sessions: 50 } } });
  });

  // promise: damaged-header-file-kept
  test("is renamed if it was truncated, overwritten, or is not a database", async () => {
    for (const spoil of [
      (path: string) => truncateSync(path, Math.floor(whole.length / 2)),
      (path: string) => truncateSync(path, 4_096 + 17),
      (path: string) => writeFileSync(path, "My shopping list"),
      (path: string) => writeFileSync(path, Buffer.alloc(20_000)),
    ]) {
      const path = freshPath();
      writeFileSync(path, whole);
      spoil(path);
      const bytes = readFileSync(path);
      const { setAside, warnings } = await openDamaged(path, records.slice(0, 50));
      expect(readFileSync(setAside?.path ?? "").equals(bytes)).toBe(true);
      expect(warnings).toHaveLength(1);
    }
  });

  test("never replaces one that was renamed before", async () => {
    const path = freshPath();
    for (let round = 1; round <= 3; round += 1) {
      writeFileSync(path, `not a database, ${round}`);
      await (await openSqliteStore({ path })).close();
      expect(damagedFiles(path)).toHaveLength(round);
    }
    const kept = damagedFiles(path).map((name) => readFileSync(join(dirname(path), name), "utf8"));
    expect(kept.sort()).toEqual([1, 2, 3].map((round) => `not a database, ${round}`));
  });

  // promise: damaged-store-salvaged
  test("is recovered after an interrupted recovery", async () => {
    const path = freshPath();
    writeFileSync(path, whole);
    await (await openSqliteStore({ path })).close();
    renameSync(path, `${path}.rebuilt`);
    writeFileSync(`${path}.damaged-20250101T000000Z`, "the damaged one, which was set aside just before the crash");
    expect(await openDamaged(path, records.slice(0, 50))).toMatchObject({ kept: 50, warnings: [] });
    expect(existsSync(`${path}.rebuilt`)).toBe(false);
  });

  test("leaves no unfinished files behind", async () => {
    const path = freshPath();
    writeFileSync(path, withDamage(whole, 3));
    writeFileSync(`${path}.rebuilding`, "left over from a crash");
    await (await openSqliteStore({ path })).close();
    expect(readdirSync(dirname(path)).filter((name) => name.includes("rebuil"))).toEqual([]);
  });

  test("keeps a log without its file where a person can find it", async () => {
    const path = freshPath();
    writeFileSync(`${path}-wal`, crashed.log);
    const store = await openSqliteStore({ path });
    expect(readFileSync(`${store.setAside?.path}-wal`).equals(crashed.log)).toBe(true);
    await store.close();
  });

  test("is left alone while another process may be using it", async () => {
    const path = freshPath();
    const user = await openSqliteStore({ path });
    await Promise.all(records.slice(0, 5).map((record) => user.insert(record)));
    const vandal = new DatabaseSync(path);
    vandal.exec("UPDATE sessions SET checksum = 1 WHERE number = 1");
    vandal.close();
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      message: expect.stringContaining("another process"),
    });
    expect(damagedFiles(path)).toEqual([]);
    expect(await user.insert(aRecord({ id: "still-working" }))).toEqual({ inserted: true });
    await user.close();
  });
});
