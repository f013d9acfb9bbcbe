import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "@askbox/core";
import { fakeClock } from "@askbox/core/testing";
import { homeFiles } from "@askbox/home";
import { expect, it } from "vitest";
import { openStore, openValues } from "../src/open-store.ts";
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

it.skipIf(process.platform === "win32")(
  "keeps databases, and what was last written to them, from others who may look into the folder",
  async () => {
    const { folder, folders } = temporaryHome();
    const files = homeFiles(folders);
    const opened = await openStore("sqlite", { ...files, kept: files.mcpSessions, space: undefined, log: silentLog });
    const values = await openValues("sqlite", { path: files.ran, shared: undefined, clock: fakeClock() });
    const kept = await opened.openKept?.();
    for (const each of [values, kept]) await each?.swap("key", undefined, "a secret", 1_000);
    const databases = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name.includes(".db"));
    expect(databases).toHaveLength(9);
    for (const { parentPath, name } of databases) expect([name, statSync(join(parentPath, name)).mode & 0o077]).toEqual([name, 0]);
    await kept?.close();
    await values.close();
    await opened.close();
  },
);
