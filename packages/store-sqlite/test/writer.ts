import { aRecord, settled } from "@askbox/core/testing";
import { openSqliteStore } from "../src/index.ts";

/**
 * Run as a process that is killed at some point: asks and answers endlessly, three at a time, and prints a line for each write that the
 * store has acknowledged.
 */
const [path, first] = process.argv.slice(2);
const store = await openSqliteStore({ path: path ?? "" });
let next = Number(first);

async function cycle(): Promise<never> {
  for (;;) {
    const record = aRecord({ id: `session-${next++}` });
    await store.insert(record);
    process.stdout.write(`${record.id} 1\n`);
    await store.replace(settled(record), 1);
    process.stdout.write(`${record.id} 2\n`);
  }
}

await Promise.all([cycle(), cycle(), cycle()]);
