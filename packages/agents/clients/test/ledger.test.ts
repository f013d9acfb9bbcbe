import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { homeFiles, homeFolders } from "@askbox/home";
import { expect, onTestFinished, test } from "vitest";
import { type FileRecord, openLedger } from "../src/files/ledger.ts";

const record: FileRecord = { format: "jsonc", after: "0", created: true, exact: true, madeFolders: [], layers: { "cursor user": [] } };

test("two commands that set up clients at the same time keep each other's records", () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-ledger-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const files = homeFiles(homeFolders({ env: { ASKBOX_HOME: home } }));
  const [one, other] = [openLedger(files), openLedger(files)];
  one.set("/a.json", record);
  other.set("/b.json", record);
  one.set("/a.json", { ...record, after: "1" });
  const ledger = openLedger(files);
  expect([ledger.record("/a.json")?.after, ledger.record("/b.json")?.after]).toEqual(["1", "0"]);
});

test("two processes that write records all the time lose none of them", async () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-ledger-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const count = 40;
  const workers = ["one", "other"].map(
    (name) => new Worker(new URL("support/write-records.ts", import.meta.url), { workerData: { home, name, count, record } }),
  );
  for (const [code] of await Promise.all(workers.map((worker) => once(worker, "exit")))) expect(code).toBe(0);
  const ledger = openLedger(homeFiles(homeFolders({ env: { ASKBOX_HOME: home } })));
  expect(ledger.pathsOf("cursor user")).toHaveLength(2 * count);
});
