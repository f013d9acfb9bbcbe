/** @module-tag redis */

import { startRedis } from "@askbox/store-redis/testing";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";

test("what Redis' settings lack is said once, though the sessions and the files have connections of their own", async () => {
  const redis = await startRedis({ settings: { appendonly: "no" } });
  onTestFinished(() => redis.stop());
  const lines: string[] = [];
  const none = { database: "", attachments: "", kept: "", space: undefined };
  const opened = await openStore(redis.url, { ...none, log: (_, line) => lines.push(line) });
  onTestFinished(() => opened.close());
  expect(lines.filter((line) => line.startsWith("Without an append-only file"))).toHaveLength(1);
});
