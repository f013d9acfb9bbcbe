import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SessionRecord } from "@askbox/core";
import { aRecord, seededIds, settled } from "@askbox/core/testing";
import { connect } from "../src/connection.ts";
import { openSqliteStore, type SqliteStore } from "../src/index.ts";
import { sessionRow } from "../src/rows.ts";

/** One line of the report, in the format that `bench/run.ts` prints. `ratio` is `askbox` over `floor`. */
export interface BenchLine {
  id: string;
  name: string;
  floor: number;
  askbox: number;
  ratio: number;
  unit: string;
  /** The limit of the ratio, in words. */
  bound: string;
  better: "lower" | "higher";
  /** See `bench/harness.ts`. */
  tolerance: number;
  ok: boolean;
}

const ids = seededIds(42);
const aSession = () => aRecord({ id: ids.session(), scope: ids.session(), digest: ids.session() + ids.session() });

const median = (values: readonly number[]): number => [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN;

/** Milliseconds that the work took. */
async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The size of a session's row: the record and its columns. */
const sizeOf = (record: SessionRecord) => Object.values(sessionRow(record)).join("").length;

/** The same two durable commits on a bare database: one table, one statement each, rows of the same size, the store's own pragmas. */
function bareLoop(path: string) {
  const { database, prepare, close } = connect(new DatabaseSync(path));
  database.exec("CREATE TABLE rows (id TEXT PRIMARY KEY, revision INTEGER, body TEXT) STRICT");
  const insert = prepare("INSERT INTO rows VALUES (?, ?, ?)");
  const update = prepare("UPDATE rows SET revision = ?, body = ? WHERE id = ? AND revision = ?");
  const pendingBody = "x".repeat(sizeOf(aSession()));
  const answeredBody = "x".repeat(sizeOf(settled(aSession())));
  return {
    cycle() {
      const id = ids.session();
      insert.run(id, 1, pendingBody);
      update.run(2, answeredBody, id, 1);
    },
    close,
  };
}

async function askAndAnswer(store: SqliteStore): Promise<void> {
  const record = aSession();
  await store.insert(record);
  await store.replace(settled(record), 1);
}

/**
 * Cycles per second of the bare loop and of the store, sequential and with 100 at a time. The three alternate cycle by cycle, so that other
 * disk activity affects all alike.
 */
async function cycles(folder: string): Promise<BenchLine[]> {
  const bare = bareLoop(join(folder, "bare.db"));
  const store = await openSqliteStore({ path: join(folder, "cycles.db") });
  const atOnce = 100;
  const took = { bare: [] as number[], alone: [] as number[], together: [] as number[] };
  for (let round = 0; round < 200; round += 1) {
    const bareTook = await timed(bare.cycle);
    const aloneTook = await timed(() => askAndAnswer(store));
    // Warm-up.
    if (round < 20) continue;
    took.bare.push(bareTook);
    took.alone.push(aloneTook);
    if (round % 4 === 0)
      took.together.push((await timed(() => Promise.all(Array.from({ length: atOnce }, () => askAndAnswer(store))))) / atOnce);
  }
  bare.close();
  await store.close();
  const rate = (durations: readonly number[]) => 1_000 / median(durations);
  const line = (id: string, name: string, durations: readonly number[], atLeast: number): BenchLine => {
    const ratio = rate(durations) / rate(took.bare);
    return {
      id,
      name,
      floor: rate(took.bare),
      askbox: rate(durations),
      ratio,
      unit: "cycles/s",
      bound: `at least ${atLeast} × floor`,
      better: "higher",
      tolerance: 0.5,
      ok: ratio >= atLeast,
    };
  };
  return [
    line("sqlite-cycles", "SQLite: ask and answer, one after the other; floor: a bare loop", took.alone, 0.6),
    line("sqlite-cycles-100", "SQLite: ask and answer, 100 at a time; floor: a bare loop", took.together, 3),
  ];
}

/** The cost of an insert with this many stored sessions, a tenth of them pending; in microseconds, without the disk sync. */
async function growth(folder: string): Promise<BenchLine[]> {
  const stores: { stored: number; store: SqliteStore; costs: number[] }[] = [];
  for (const stored of [10, 1_000, 100_000]) {
    const store = await openSqliteStore({ path: join(folder, `stored-${stored}.db`) });
    for (let done = 0; done < stored; done += 1_000) {
      const sessions = Array.from({ length: Math.min(1_000, stored) }, (_, index) => mostlySettled(index));
      await Promise.all(sessions.map((session) => store.insert(session)));
    }
    stores.push({ stored, store, costs: [] });
  }
  const batch = 100;
  for (let round = 0; round <= 15; round += 1) {
    for (const { store, costs } of stores) {
      const sessions = Array.from({ length: batch }, aSession);
      const cost = await timed(() => Promise.all(sessions.map((session) => store.insert(session))));
      // Removed again, so that the small store stays small.
      await Promise.all(
        sessions.map((session) =>
          store.replace(settled({ ...session, createdAt: 1 }, { kind: "timedOut", by: { surface: "deadline" }, at: 1 }), 1),
        ),
      );
      await store.remove({ closedBefore: 2 });
      if (round > 0) costs.push((cost / batch) * 1_000);
    }
  }
  for (const { store } of stores) await store.close();
  const floor = median(stores[0]?.costs ?? []);
  return stores.slice(1).map(({ stored, costs }): BenchLine => {
    const logarithmic = Math.log(stored) / Math.log(10);
    const askbox = median(costs);
    const ratio = askbox / floor;
    return {
      id: `sqlite-insert-${stored}`,
      name: `SQLite: an insert with ${stored.toLocaleString("en")} sessions; floor: with 10`,
      floor,
      askbox,
      ratio,
      unit: "µs/insert",
      bound: `at most ${logarithmic.toFixed(1)} × floor`,
      better: "lower",
      tolerance: 0.5,
      ok: ratio <= logarithmic,
    };
  });
}

function mostlySettled(index: number): SessionRecord {
  const session = aSession();
  return index % 10 === 0 ? session : { ...settled(session), delivery: { deliveredAt: session.createdAt + 2_000 } };
}

/** Measures the SQLite store against a bare `node:sqlite` loop in the same run. Takes about half a minute. */
export async function sqliteBench(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  try {
    return [...(await cycles(folder)), ...(await growth(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export { sqliteBench as bench };

if (process.argv[1] === import.meta.filename) {
  const lines = await sqliteBench();
  console.table(
    lines.map(({ name, floor, askbox, ratio, unit, bound, ok }) => ({
      name,
      floor: Math.round(floor),
      askbox: Math.round(askbox),
      unit,
      ratio: ratio.toFixed(2),
      bound,
      ok,
    })),
  );
  process.exitCode = lines.every(({ ok }) => ok) ? 0 : 1;
}
