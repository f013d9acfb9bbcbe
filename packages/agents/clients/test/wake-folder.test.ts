import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { wakeWays } from "@askbox/clients/wake";
import { afterAll, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "askbox-wake-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const machine = { env: { HOME: home }, version: "1", run: async () => "[]" };
const id = "0197f000-0000-7000-8000-000000000001";
const record = (path: string, ...lines: string[]) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), lines.join("\n"));
};

test("Claude Code's conversation works where its transcript says", async () => {
  expect(await wakeWays["claude-code"]?.folderOf?.(id, machine)).toBeUndefined();
  const [first, cut] = ['{"type":"summary"}', '{"type":"user","cw'];
  record(`.claude/projects/-srv-shop/${id}.jsonl`, first, '{"type":"user","cwd":"/srv/shop"}', '{"cwd":"/other"}', cut);
  expect(await wakeWays["claude-code"]?.folderOf?.(id, machine)).toBe("/srv/shop");
});

test("Codex' thread works where its record says", async () => {
  expect(await wakeWays.codex?.folderOf?.(id, machine)).toBeUndefined();
  const day = new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString().slice(0, 10).replaceAll("-", "/");
  record(`.codex/sessions/${day}/rollout-x-${id}.jsonl`, `{"type":"session_meta","payload":{"id":"${id}","cwd":"/srv/shop"}}`);
  expect(await wakeWays.codex?.folderOf?.(id, machine)).toBe("/srv/shop");
});
