import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { followChat } from "../src/followers.ts";

const startChat = vi.hoisted(() => vi.fn());
vi.mock("@askbox/chat", () => ({ startChat }));

const folder = mkdtempSync(join(tmpdir(), "askbox-follow-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("chats that can't be started are logged; the hub starts, and closes", async () => {
  const file = join(folder, "chat.json");
  writeFileSync(file, "{}");
  startChat.mockRejectedValue(new Error("the module is gone"));
  const log = vi.fn();
  const chat = await followChat({ file, log } as unknown as Parameters<typeof followChat>[0]);
  expect(log.mock.calls).toEqual([["warn", "The chat desks could not be started.", { error: "Error: the module is gone" }]]);
  expect(chat.status()).toEqual([]);
  await chat.close();
});
