import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensurePrivateFolder, restrictOn, writePrivateFile } from "../src/files/private-file.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function ranOn(env: Record<string, string>) {
  const ran: (string | readonly string[])[] = [];
  const restrict = restrictOn({ env, username: "ada", run: (program, args) => void ran.push(program, args) });
  return { ran, restrict };
}

// promise: windows-access-list
test("on Windows a folder and its contents are restricted to the user, by the system's own program", () => {
  const { ran, restrict } = ranOn({ SystemRoot: "D:\\WINNT", USERDOMAIN: "OFFICE" });
  restrict("C:\\Users\\ada\\askbox", "folder");
  restrict("C:\\Users\\ada\\askbox\\hub.json", "file");
  const icacls = "D:\\WINNT\\System32\\icacls.exe";
  expect(ran).toEqual([
    icacls,
    ["C:\\Users\\ada\\askbox", "/inheritance:r", "/grant:r", "OFFICE\\ada:(OI)(CI)F"],
    icacls,
    ["C:\\Users\\ada\\askbox\\hub.json", "/inheritance:r", "/grant:r", "OFFICE\\ada:F"],
  ]);
  const without = ranOn({});
  without.restrict("x", "file");
  expect(without.ran).toEqual(["C:\\Windows\\System32\\icacls.exe", ["x", "/inheritance:r", "/grant:r", "ada:F"]]);
});

// promise: windows-access-list
test("a file gets its access list before it is renamed, and is not written if it cannot have one", () => {
  const folder = join(temporaryFolder(), "askbox");
  const path = join(folder, "hub.json");
  const seen: unknown[] = [];
  writePrivateFile(path, "{}", (place, kind) => void seen.push([kind, existsSync(place), existsSync(path)]));
  expect(seen).toEqual([
    ["folder", true, false],
    ["file", true, false],
  ]);
  const refuse = () => {
    throw new Error("Access is denied.");
  };
  expect(() => writePrivateFile(join(folder, "desk.json"), "{}", refuse)).toThrow(/askbox cannot write to its folder/);
  expect(readdirSync(folder)).toEqual(["hub.json"]);
  expect(() => ensurePrivateFolder(join(folder, "new"), refuse)).toThrow(/askbox cannot write to its folder/);
  expect(existsSync(join(folder, "new"))).toBe(false);
});
