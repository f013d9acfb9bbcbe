import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { aRecord } from "@askbox/core/testing";
import { type HomeFiles, homeFiles, takeLock, writeHubFile, writePrivateFile } from "@askbox/home";
import { openSqliteStore } from "@askbox/store-sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Manifest } from "../src/backup/contents.ts";
import { finishRestore } from "../src/backup/restore.ts";
import { backUp, restore } from "../src/index.ts";
import { type TestHome, temporaryHome } from "./support.ts";

const stored = async (path: string) => {
  const store = await openSqliteStore({ path });
  const { sessions } = await store.list({});
  await store.close();
  return sessions.map(({ id }) => id);
};

/** A home with an inbox that a hub has open, tokens and settings. */
async function aHome() {
  const home = temporaryHome();
  const files = homeFiles(home.folders);
  const store = await openSqliteStore({ path: files.database });
  onTestFinished(() => store.close());
  const record = aRecord();
  await store.insert(record);
  writeHubFile(home.folders, { url: "http://127.0.0.1:9", pid: process.pid, version: "1", instance: "run-1", askerToken: "abx_asker" });
  writePrivateFile(files.tokens, `{"tokens":[]}`);
  writePrivateFile(files.config, `{"timeout":600000}`);
  mkdirSync(files.clientBackups, { mode: 0o700 });
  writePrivateFile(join(files.clientBackups, "cursor.mcp.json"), "{}");
  const target = join(home.folder, "..", `${home.folder.split("/").at(-1)}-backup`);
  return { home, files, store, id: record.id, target };
}
const options = (home: TestHome) => ({ folders: home.folders, env: { ASKBOX_HOME: home.folder }, version: "1.2.3" });

describe("a backup", () => {
  it("has the files of the sessions, and is refused if one is missing or has changed", async () => {
    const { home, files, store, id, target } = await aHome();
    const name = createHash("sha256").update("hello").digest("hex");
    mkdirSync(join(files.attachments, id), { recursive: true });
    writeFileSync(join(files.attachments, id, name), "hello");
    writeFileSync(join(files.attachments, id, "upload-1.part"), "he");
    expect((await backUp({ ...options(home), target })).attachments).toEqual({ count: 1, bytes: 5 });
    await store.close();
    const copy = join(target, "files", id, name);
    expect(statSync(copy).mode & 0o077).toBe(0);
    writeFileSync(join(files.attachments, id, name), "spoilt");
    const { aside } = await restore({ ...options(home), source: target });
    expect(readFileSync(join(files.attachments, id, name), "utf8")).toBe("hello");
    expect(readFileSync(join(aside[0] ?? "", "files", id, name), "utf8")).toBe("spoilt");
    writeFileSync(copy, "hallo");
    await expect(restore({ ...options(home), source: target })).rejects.toThrow(/the file .* has changed/);
    rmSync(copy);
    await expect(restore({ ...options(home), source: target })).rejects.toThrow("files of answers are missing");
    expect(readFileSync(join(files.attachments, id, name), "utf8")).toBe("hello");
  });

  it("of a home in use brings back its inbox, tokens and settings in another one, and moves aside what is there", async () => {
    const { home, store, id, target } = await aHome();
    const { files } = await backUp({ ...options(home), target });
    expect(files.map(({ name }) => name).sort()).toEqual(
      ["askbox.db", "client-backups/cursor.mcp.json", "config.json", "last-hub.json", "tokens.json"].sort(),
    );
    for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o077, name).toBe(0);
    await store.insert(aRecord({ id: "after-the-backup-0000000000", digest: "another" }));

    const other = await aHome();
    await other.store.close();
    writePrivateFile(other.files.devices, `{"devices":[]}`);
    const { aside } = await restore({ ...options(other.home), source: target });
    expect(await stored(other.files.database)).toEqual([id]);
    expect(readFileSync(other.files.config, "utf8")).toBe(`{"timeout":600000}`);
    expect(existsSync(other.files.hub)).toBe(false);
    expect(JSON.parse(readFileSync(other.files.lastHub, "utf8")).askerToken).toBe("abx_asker");
    // What the backup does not have is gone from its place, too.
    expect(existsSync(other.files.devices)).toBe(false);
    const moved = aside.flatMap((folder) => readdirSync(folder)).sort();
    expect(moved).toEqual(["askbox.db", "config.json", "cursor.mcp.json", "devices.json", "hub.json", "tokens.json"]);
    expect(readdirSync(other.home.folder).filter((name) => name.includes("restoring"))).toEqual([]);
  });

  it("is refused where something is already, and leaves nothing behind if it fails", async () => {
    const { home, files, store, target } = await aHome();
    mkdirSync(target);
    await expect(backUp({ ...options(home), target })).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(backUp({ ...options(home), target: join(home.folder, "a", "b") })).rejects.toMatchObject({ code: "VALIDATION" });
    await store.close();
    writeFileSync(files.database, "no database ".repeat(1_000));
    const failed = `${target}-failed`;
    await expect(backUp({ ...options(home), target: failed })).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect([existsSync(failed), existsSync(`${failed}.unfinished`)]).toEqual([false, false]);
  });

  // promise: restore-is-whole
  it("that is being restored when its process is killed, at any step, changes nothing or is finished by whoever starts next", async () => {
    const state = (files: HomeFiles) => ({
      tokens: readFileSync(files.tokens, "utf8"),
      settings: readFileSync(files.config, "utf8"),
      hasGrants: existsSync(files.grants),
    });
    const outcomes: string[] = [];
    for (let kill = 1; outcomes.at(-1) !== "done"; kill += 1) {
      const there = await aHome();
      const { home, files, store, id, target } = there;
      await backUp({ ...options(home), target });
      await store.close();
      const before = state(files);
      // What there is now, and what comes after the backup.
      writePrivateFile(files.tokens, `{"tokens":["later"]}`);
      writePrivateFile(files.config, `{"timeout":700000}`);
      writePrivateFile(files.grants, "{}");
      const now = state(files);
      let count = 0;
      const step = () => {
        count += 1;
        if (count === kill) throw new Error("killed");
      };
      const done = restore({ ...options(home), source: target, step });
      const ending = await done.then(
        () => "done",
        ({ message }: Error) => message,
      );
      const isFinished = finishRestore(home.folders);
      outcomes.push(ending === "done" ? ending : isFinished ? "finished" : "unchanged");
      expect(finishRestore(home.folders), "once").toBe(false);
      expect(state(files), `killed at step ${kill}: ${outcomes.at(-1)}`).toEqual(outcomes.at(-1) === "unchanged" ? now : before);
      expect(await stored(files.database)).toEqual([id]);
      await restore({ ...options(home), source: target });
      expect(state(files), `restored again after step ${kill}`).toEqual(before);
      expect(readFileSync(join(files.clientBackups, "cursor.mcp.json"), "utf8")).toBe("{}");
    }
    expect([...new Set(outcomes)]).toEqual(["unchanged", "finished", "done"]);
    expect(outcomes.filter((outcome) => outcome === "finished").length).toBeGreaterThan(8);
  });

  it("that is restored twice in one second moves aside what is there each time", async () => {
    const { home, files, store, id, target } = await aHome();
    const name = createHash("sha256").update("hello").digest("hex");
    mkdirSync(join(files.attachments, id), { recursive: true });
    writeFileSync(join(files.attachments, id, name), "hello");
    await backUp({ ...options(home), target });
    await store.close();
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const kept: string[] = [];
    for (const now of ["first", "second", "third"]) {
      writePrivateFile(files.tokens, now);
      const { aside } = await restore({ ...options(home), source: target });
      for (const folder of aside) if (existsSync(join(folder, "tokens.json"))) kept.push(readFileSync(join(folder, "tokens.json"), "utf8"));
      expect(readFileSync(files.tokens, "utf8")).toBe(`{"tokens":[]}`);
    }
    expect(kept).toEqual(["first", "second", "third"]);
    expect(await stored(files.database)).toEqual([id]);
  });

  it("of a newer askbox is refused before anything changes", async () => {
    const { home, files, store, target } = await aHome();
    await backUp({ ...options(home), target });
    await store.close();
    const database = join(target, "askbox.db");
    const newer = new DatabaseSync(database);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    const path = join(target, "backup.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
    const bytes = readFileSync(database);
    const own = { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    const listed = manifest.files.map((file) => (file.name === "askbox.db" ? { ...file, ...own } : file));
    writePrivateFile(path, JSON.stringify({ ...manifest, files: listed }));
    writePrivateFile(files.tokens, "mine");
    await expect(restore({ ...options(home), source: target })).rejects.toThrow("newer askbox");
    expect(readFileSync(files.tokens, "utf8")).toBe("mine");
  });

  it("that can't be finished says what is in the way, and how to go on", async () => {
    const { home, files, store, target } = await aHome();
    await backUp({ ...options(home), target });
    await store.close();
    let count = 0;
    // Something comes into the way once everything is copied.
    const step = () => {
      count += 1;
      if (!existsSync(join(home.folder, "restore.json"))) return;
      if (existsSync(files.tokens)) return;
      mkdirSync(join(files.tokens, "full"), { recursive: true });
    };
    const sentence = /was interrupted and cannot be finished: .*tokens\.json.*; or remove .*restore\.json, then put back .*before-restore-/;
    await expect(restore({ ...options(home), source: target, step })).rejects.toThrow(sentence);
    expect(() => finishRestore(home.folders)).toThrow(sentence);
    // A mixture is no backup.
    await expect(backUp({ ...options(home), target: `${target}-2` })).rejects.toMatchObject({ code: "CONFLICT" });
    // What was in the way is gone.
    rmSync(files.tokens, { recursive: true });
    expect(finishRestore(home.folders)).toBe(true);
    expect(count).toBeGreaterThan(0);
    expect(readFileSync(files.tokens, "utf8")).toBe(`{"tokens":[]}`);
  });

  it("with a link in it is refused: what it leads to was never backed up", async () => {
    const { home, files, store, id, target } = await aHome();
    const name = createHash("sha256").update("hello").digest("hex");
    mkdirSync(join(files.attachments, id), { recursive: true });
    writeFileSync(join(files.attachments, id, name), "hello");
    await backUp({ ...options(home), target });
    await store.close();
    const elsewhere = join(home.folder, "elsewhere");
    writeFileSync(elsewhere, "hello");
    for (const path of [join(target, "files", id, name), join(target, "tokens.json"), join(target, "files")]) {
      const kept = `${path}.kept`;
      renameSync(path, kept);
      symlinkSync(path.endsWith(name) ? elsewhere : kept, path);
      await expect(restore({ ...options(home), source: target })).rejects.toThrow(/is a link/);
      rmSync(path);
      renameSync(kept, path);
    }
    expect((await restore({ ...options(home), source: target })).files.length).toBeGreaterThan(0);
  });

  it("is not restored under a running hub, if it is damaged, or if it names files outside its folder; nothing changes", async () => {
    const { home, files, store, target } = await aHome();
    await backUp({ ...options(home), target });
    await store.close();
    const before = readdirSync(home.folder).sort();
    const lock = await takeLock(files.lock);
    await expect(restore({ ...options(home), source: target })).rejects.toMatchObject({ code: "CONFLICT" });
    lock?.release();
    writeFileSync(join(target, "tokens.json"), `{"tokens":{}}`);
    await expect(restore({ ...options(home), source: target })).rejects.toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("tokens.json is not the file"),
    });
    const manifest = JSON.parse(readFileSync(join(target, "backup.json"), "utf8"));
    for (const name of ["../tokens.json", "/etc/passwd", "client-backups/../../x", "..", ""]) {
      writeFileSync(join(target, "backup.json"), JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], name }] }));
      await expect(restore({ ...options(home), source: target }), name).rejects.toMatchObject({ code: "VALIDATION" });
    }
    await expect(restore({ ...options(home), source: home.folder })).rejects.toMatchObject({ code: "VALIDATION" });
    expect(
      readdirSync(home.folder)
        .filter((name) => name !== "hub.lock")
        .sort(),
    ).toEqual(before.filter((name) => name !== "hub.lock"));
  });
});
