import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "@askbox/core";
import { homeFiles } from "@askbox/home";
import { expect, it } from "vitest";
import { openStore } from "../src/open-store.ts";
import { temporaryHome } from "./support.ts";

it("keeps the files of a damaged store beside it", async () => {
  const files = homeFiles(temporaryHome().folders);
  writeFileSync(files.database, "no database ".repeat(1_000));
  const stored = join(files.attachments, "01j00000000000000000000001", "a".repeat(64));
  mkdirSync(join(stored, ".."), { recursive: true });
  writeFileSync(stored, "hello");
  const opened = await openStore("sqlite", { ...files, kept: files.mcpSessions, space: undefined, log: silentLog });
  rmSync(stored);
  const { path = "" } = (opened.store as { setAside?: { path: string } }).setAside ?? {};
  expect(readFileSync(join(`${path}.files`, "01j00000000000000000000001", "a".repeat(64)), "utf8")).toBe("hello");
  await opened.close();
});
