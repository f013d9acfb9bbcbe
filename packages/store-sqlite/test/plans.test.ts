import type { StoreQuery } from "@askbox/core/stores";
import { describe, expect, test } from "vitest";
import { connect, sqliteOpener } from "../src/connection.ts";
import { countQuery, listQuery } from "../src/list.ts";
import { migrate } from "../src/migrations.ts";
import { statements } from "../src/rows.ts";
import { freshPath } from "./temp-folder.ts";

async function planner() {
  const path = freshPath();
  const database = (await sqliteOpener())(path);
  const { prepare, close } = connect(database);
  migrate(database, path);
  const plan = (sql: string) => {
    const holes = sql.split("?").length - 1;
    const steps = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from({ length: holes }, () => null));
    return steps.map(({ detail }) => String(detail));
  };
  return { plan, close };
}

describe("the SQLite store's plans", () => {
  test("use an index for everything that an ask and its answer need", async () => {
    const { plan, close } = await planner();
    const single = {
      change: statements.change,
      replace: statements.replace,
      get: statements.get,
      getByKey: statements.getByKey,
      due: statements.due,
    };
    const drafts = {
      getDraft: statements.getDraft,
      insertDraft: statements.insertDraft,
      changeDraft: statements.changeDraft,
      removeDraft: statements.removeDraft,
    };
    for (const [name, sql] of Object.entries({ ...single, ...drafts, remove: statements.remove })) {
      const steps = plan(sql).filter((step) => /sessions|drafts/.test(step));
      expect(steps, name).not.toHaveLength(0);
      for (const step of steps) expect(step, name).toMatch(/^SEARCH /);
    }
    close();
  });

  test("never scan settled sessions to find pending or undelivered ones", async () => {
    const { plan, close } = await planner();
    const queries: [StoreQuery, RegExp][] = [
      [{ states: ["pending"] }, /USING INDEX pending_by_time/],
      [{ states: ["pending"], owner: "o", scope: "s", digest: "d" }, /SEARCH .* pending_by_digest \(digest=\? AND scope=\?\)/],
      [{ states: ["pending"], owner: "o", key: "k" }, /SEARCH .* pending_by_key \(owner=\? AND key=\?\)/],
      [{ states: ["pending"], owner: "o", agentId: "a" }, /SEARCH .* pending_by_owner \(owner=\? AND agent_id=\?\)/],
      [{ undelivered: true, owner: "o", scope: "s", order: "oldest", limit: 20 }, /SEARCH .* undelivered_by_scope \(scope=\?\)/],
      [{ idPrefix: "abcd" }, /SEARCH .* sessions_by_id \(id>\? AND id<\?\)/],
      [{}, /USING INDEX sessions_by_time/],
      [{ cursor: "1_a" }, /SEARCH .* sessions_by_time/],
    ];
    for (const [query, expected] of queries) {
      expect(plan(listQuery(query).sql)[0], JSON.stringify(query)).toMatch(expected);
    }
    const counts: [StoreQuery, RegExp][] = [
      [{ states: ["pending"] }, /USING COVERING INDEX pending_by_time/],
      [{ states: ["pending"], owner: "o", agentId: "a" }, /SEARCH .* COVERING INDEX pending_by_owner \(owner=\? AND agent_id=\?\)/],
    ];
    for (const [query, expected] of counts) expect(plan(countQuery(query).sql)[0], JSON.stringify(query)).toMatch(expected);
    close();
  });
});
