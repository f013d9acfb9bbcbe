import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changeAlone, takeLock } from "../src/index.ts";

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "askbox-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "chat.json");
}

test("a change waits until the one of another process is done", async () => {
  const file = aFile();
  const order: string[] = [];
  const other = await takeLock(`${file}.lock`);
  const waiting = changeAlone(file, () => order.push("changed"));
  await changeAlone(`${file}.other`, () => order.push("another file"));
  order.push("released");
  other?.release();
  await waiting;
  expect(order).toEqual(["another file", "released", "changed"]);
});

test("of many changes at the same moment, none is lost, and one that throws releases the file", async () => {
  const file = aFile();
  writeFileSync(file, "0");
  const count = () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1));
  const fail = () => {
    throw new Error("no");
  };
  const changes = Array.from({ length: 20 }, (_, index) => changeAlone(file, index === 7 ? fail : count));
  expect((await Promise.allSettled(changes)).filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe("19");
});

test("a lock that can't be taken is one clear sentence", async () => {
  const file = aFile();
  mkdirSync(`${file}.lock`);
  await expect(changeAlone(file, () => {})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
