import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { problemOf } from "../src/files/private-file.ts";
import {
  ensurePrivateFolder,
  ensureTokens,
  homeFiles,
  homeFolders,
  makePrivate,
  readDeskFile,
  readHubFile,
  readLastHubFile,
  refuseForeignDatabase,
  retireHubFile,
  takeLock,
  writeHubFile,
} from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const hub = {
  url: "http://127.0.0.1:4141",
  pid: 77,
  version: "1.2.3",
  instance: "run-1",
  askerToken: "asker-token",
  proofKey: "proof-key",
};
const mode = (path: string) => statSync(path).mode & 0o777;

function home() {
  const folder = join(temporaryFolder(), "box");
  const folders = homeFolders({ env: { ASKBOX_HOME: folder } });
  return { folder, folders, files: homeFiles(folders) };
}

function countingTokens() {
  let count = 0;
  return () => `token-${++count}`;
}

describe("a database", () => {
  // promise: foreign-files-refused
  it("is refused if it, or a file that SQLite keeps beside it, is a link or another user's", async () => {
    const { folder, files } = home();
    ensurePrivateFolder(folder);
    const lock = await takeLock(files.lock);
    expect(lock).toBeDefined();
    lock?.release();
    const elsewhere = join(temporaryFolder(), "other.db");
    writeFileSync(elsewhere, "");
    for (const suffix of ["", "-wal", "-journal"]) {
      const link = files.database + suffix;
      symlinkSync(elsewhere, link);
      const refused = { code: "FORBIDDEN", message: `askbox does not trust ${link}: it is a link; put the file itself there.` };
      expect(() => refuseForeignDatabase(files.database)).toThrow(expect.objectContaining(refused));
      rmSync(link);
    }
    rmSync(files.lock);
    symlinkSync(elsewhere, files.lock);
    await expect(takeLock(files.lock)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(readFileSync(elsewhere, "utf8")).toBe("");
    writeFileSync(files.database, "", { mode: 0o600 });
    refuseForeignDatabase(files.database);
    vi.spyOn(process, "getuid").mockReturnValue((process.getuid?.() ?? 0) + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(() => refuseForeignDatabase(files.database)).toThrow("it belongs to another user");
  });
});

describe("the runtime files", () => {
  // promise: own-tokens-owner-only
  it("can only be read by their owner, in a folder that only the owner can enter", () => {
    const { folder, folders, files } = home();
    writeHubFile(folders, hub);
    ensureTokens(folders, countingTokens());
    expect([mode(folder), mode(files.hub), mode(files.desk)]).toEqual([0o700, 0o600, 0o600]);
    expect(readHubFile(folders)).toEqual(hub);
    expect(readdirSync(folder).sort()).toEqual(["desk.json", "hub.json"]);
  });

  it("keep the tokens from one hub to the next, however it ended", () => {
    const { folders } = home();
    const create = countingTokens();
    const first = ensureTokens(folders, create);
    writeHubFile(folders, { ...hub, askerToken: first.askerToken, proofKey: first.proofKey });
    expect(ensureTokens(folders, create)).toEqual(first);
    retireHubFile(folders, hub.instance);
    expect(ensureTokens(folders, create)).toEqual(first);
    expect(readDeskFile(folders)).toEqual({ deskToken: first.deskToken });
  });

  // promise: foreign-files-refused
  it("are ignored if others can write to them or to their folder", () => {
    const { folder, folders, files } = home();
    ensureTokens(folders, countingTokens());
    writeHubFile(folders, hub);
    chmodSync(folder, 0o777);
    expect(() => readHubFile(folders)).toThrow(`askbox does not trust ${folder}: others can write to it (mode 777); run chmod go-w on it.`);
    expect(() => readDeskFile(folders)).toThrow("does not trust");
    expect(() => ensureTokens(folders, countingTokens())).toThrow("does not trust");
    chmodSync(folder, 0o700);
    chmodSync(files.hub, 0o620);
    expect(() => readHubFile(folders)).toThrow(`askbox does not trust ${files.hub}`);
  });

  // promise: foreign-files-refused
  it("are ignored if they belong to another user", () => {
    expect(problemOf({ uid: 1_001, mode: 0o600 }, 1_000)).toBe("it belongs to another user; set ASKBOX_HOME to a folder of your own");
    expect(problemOf({ uid: 1_000, mode: 0o100644 }, 1_000)).toBeUndefined();
  });

  // promise: exposed-tokens-replaced
  it("get new tokens if others could have read the old ones", () => {
    const { folders, files } = home();
    const create = countingTokens();
    const first = ensureTokens(folders, create);
    writeHubFile(folders, { ...hub, askerToken: first.askerToken, proofKey: first.proofKey });
    chmodSync(files.hub, 0o644);
    chmodSync(files.desk, 0o640);
    const second = ensureTokens(folders, create);
    for (const secret of Object.values(second)) expect(Object.values(first)).not.toContain(secret);
    expect(mode(files.desk)).toBe(0o600);
  });

  it("list no hub once it has stopped, but keep its port for the next one", () => {
    const { folders } = home();
    writeHubFile(folders, hub);
    retireHubFile(folders, hub.instance);
    expect(readHubFile(folders)).toBeUndefined();
    expect(readLastHubFile(folders)?.url).toBe(hub.url);
  });

  it("are kept if they belong to another hub than the one that ends", () => {
    const { folders } = home();
    writeHubFile(folders, { ...hub, instance: "run-2" });
    retireHubFile(folders, "run-1");
    expect(readHubFile(folders)?.instance).toBe("run-2");
  });

  it.each(["", "{", "[]", "null", '{"url":1}', '{"url":"http://127.0.0.1:1","pid":1,"version":"1","instance":"i"}'])(
    "count as absent when they hold %j",
    (text) => {
      const { folders, files } = home();
      ensurePrivateFolder(folders.runtime);
      writeFileSync(files.hub, text);
      writeFileSync(files.desk, text);
      expect(readHubFile(folders)).toBeUndefined();
      expect(readDeskFile(folders)).toBeUndefined();
    },
  );

  it("say in one sentence which folder cannot be written", () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const folders = homeFolders({ env: { ASKBOX_HOME: join(file, "box") } });
    expect(() => writeHubFile(folders, hub)).toThrow(/^askbox cannot write to its folder .*file\/box \(ENOTDIR\); .*ASKBOX_HOME/);
  });

  it("leave nothing behind when they cannot be written", () => {
    const { folder, folders, files } = home();
    ensurePrivateFolder(files.hub);
    expect(() => writeHubFile(folders, hub)).toThrow(/cannot write/);
    expect(readdirSync(folder)).toEqual(["hub.json"]);
    expect(existsSync(files.desk)).toBe(false);
    expect(() => readFileSync(files.hub)).toThrow();
  });
});

it.skipIf(process.platform === "win32")("a store that is a link does not change the mode of its target", () => {
  const folder = temporaryFolder();
  const [target, link] = [join(folder, "target"), join(folder, "askbox.db")];
  writeFileSync(target, "", { mode: 0o644 });
  symlinkSync(target, link);
  makePrivate(link);
  expect(mode(target)).toBe(0o644);
  makePrivate(target);
  expect(mode(target)).toBe(0o600);
});
