import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aRecord, settled, storeContract } from "@askbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { journalStore } from "../../examples/journal-store.ts";

async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "askbox-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "sessions.jsonl");
}

describe("a custom store", () => {
  for (const contractCase of storeContract) {
    test(contractCase.name, async () => contractCase.run({ open: async () => journalStore(await freshPath()) }));
  }

  test("restores everything when it is reopened, and ignores an incomplete line", async () => {
    const path = await freshPath();
    const store = await journalStore(path);
    const record = aRecord();
    const answered = { ...settled(record), revision: record.revision + 1 };
    await store.insert(record);
    await store.replace(answered, record.revision);
    await store.close();
    await appendFile(path, '{"op":"insert","rec');
    const again = await journalStore(path);
    expect(await again.get(record.id)).toEqual(answered);
    const other = aRecord({ id: `${record.id.slice(0, -1)}0`, key: "other" });
    expect(await again.insert(other)).toEqual({ inserted: true });
    await again.close();
    const third = await journalStore(path);
    expect(await third.get(other.id)).toEqual(other);
    await third.close();
  });
});
