import { PassThrough } from "node:stream";
import { fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { pasteGuard } from "../src/terminal/paste-guard.ts";

const [begin, end] = ["\u001b[200~", "\u001b[201~"];

/** What a reader of the guarded input gets, piece by piece. */
function guarded() {
  const clock = fakeClock();
  const stdin = new PassThrough({ encoding: "utf8" }) as unknown as NodeJS.ReadStream & PassThrough;
  const input = pasteGuard(stdin, clock);
  const got: string[] = [];
  input.on("readable", () => {
    for (let piece = input.read(); piece !== null; piece = input.read()) got.push(String(piece));
  });
  const send = async (text: string) => {
    stdin.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, got, send };
}

describe("a paste", () => {
  test("with its end is passed on as it is, in any pieces and for any time", async () => {
    const { clock, got, send } = guarded();
    const pieces = ["a", "\u001b[20", "0~one\r", "two\u001b[2", "01~b", begin, end];
    for (const piece of pieces) {
      await send(piece);
      await clock.advance(1_999);
    }
    await clock.advance(60_000);
    expect(got).toEqual(pieces);
  });

  test.each(["\u0003", "\u001b", "\u001b[99;5u"])("without its end is over with Ctrl-C and Escape: %j", async (key) => {
    const { got, send } = guarded();
    await send(`${begin}text`);
    await send(key);
    await send("q");
    expect(got).toEqual([`${begin}text`, end + key, "q"]);
  });

  test("without its end is over after two quiet seconds, and keys count again", async () => {
    const { clock, got, send } = guarded();
    await send(`${begin}text`);
    await clock.advance(1_999);
    await send(" and more");
    await clock.advance(1_999);
    expect(got).toEqual([`${begin}text`, " and more"]);
    await clock.advance(1);
    await send("q");
    expect(got.slice(2)).toEqual([end, "q"]);
  });

  test("whose end comes late is still a paste", async () => {
    const { clock, got, send } = guarded();
    await send(`${begin}one`);
    await clock.advance(2_000);
    await send(`two\r${end}`);
    await send("q");
    expect(got).toEqual([`${begin}one`, end, `${begin}two\r${end}`, "q"]);
  });
});
