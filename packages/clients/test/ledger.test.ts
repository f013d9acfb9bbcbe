import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
