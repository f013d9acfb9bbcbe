import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createBroker, silentLog } from "@askbox/core";
import { aRecord, settled, testPlatform } from "@askbox/core/testing";
import { openSqliteStore } from "@askbox/store-sqlite";
import fc from "fast-check";
import { draftOf, recordOf, storedSession } from "../../../packages/store-redis/src/values.ts";
import { checksumOf, draftColumns, sessionColumns } from "../../../packages/store-sqlite/src/rows.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { assertReadable, fault, orRefusal } from "../engine/oracle.ts";

const pending = aRecord({ id: "pending0000000000000000000", key: "k" });
const done = settled(aRecord({ id: "settled0000000000000000000" }));
const draft = { sessionId: pending.id, revision: 1, fields: { q_text: { values: ["x"] } }, updatedAt: 5, by: { surface: "web" as const } };

/** Rows of a store written by another program, another version or a failing disk. */
fuzz({
  name: "stored-rows",
  input: fc.record({
    body: mutated([pending, done]),
    draft: mutated([draft]),
    of: fc.constantFrom(pending.id, done.id),
    /** Whether the checksum matches, as it does for rows of another version. */
    isSummed: fc.boolean(),
    redis: fc.tuple(oddText, mutated([pending])).map(([head, body]) => `${head}\n${body}`),
  }),
  runs: 10,
  open() {
    const folder = mkdtempSync(join(tmpdir(), "askbox-fuzz-"));
    let count = 0;
    return {
      async take(input) {
        count += 1;
        const path = join(folder, `${count}.db`);
        const store = await openSqliteStore({ path, log: silentLog } as never);
        await store.insert(pending);
        await store.insert(done);
        await store.putDraft(draft, 0);
        await store.close();
        write(path, { ...input, body: writeOut(input.body), draft: writeOut(input.draft) });
        const again = await orRefusal(() => openSqliteStore({ path, log: silentLog } as never));
        if (again !== undefined) {
          await orRefusal(() => again.get(input.of));
          await orRefusal(() => again.list({}));
          await orRefusal(() => again.listDrafts());
          await orRefusal(() => again.due(Number.MAX_SAFE_INTEGER, 10));
          await orRefusal(() => assertReadable(again));
          const broker = await orRefusal(() => createBroker({ store: again, ...testPlatform() }));
          const desk = broker?.desk({ surface: "cli" });
          const other = input.of === pending.id ? done.id : pending.id;
          if (desk !== undefined && (await desk.get(other)).id !== other) fault("Another session cannot be read.");
          await broker?.close();
          const fresh = aRecord({ id: "fresh000000000000000000000", owner: "another" });
          if (!(await again.insert(fresh)).inserted) fault("A new session is not taken any more.");
          await again.close();
        }
        for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
        const value = writeOut(input.redis);
        await orRefusal(() => recordOf(storedSession(value).body));
        await orRefusal(() => draftOf(value));
      },
      close: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});

interface Written {
  body: string;
  draft: string;
  of: string;
  isSummed: boolean;
}

function write(path: string, { body, draft: draftBody, of, isSummed }: Written): void {
  const database = new DatabaseSync(path);
  try {
    const put = (table: string, key: string, id: string, columns: readonly string[], text: string) => {
      const row = database.prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).get(id);
      if (row === undefined) fault("A row that was inserted is not there.");
      const sum = isSummed ? checksumOf({ ...row, body: text }, columns) : row["checksum"];
      database.prepare(`UPDATE ${table} SET body = ?, checksum = ? WHERE ${key} = ?`).run(text, sum ?? 0, id);
    };
    put("sessions", "id", of, sessionColumns, body);
    put("drafts", "session_id", pending.id, draftColumns, draftBody);
  } finally {
    database.close();
  }
}
