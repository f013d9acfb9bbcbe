import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readInput } from "../src/read-input.ts";

/** Writes pieces and leaves the stream open. */
function written(...pieces: (string | Buffer)[]): PassThrough {
  const stream = new PassThrough();
  for (const piece of pieces) stream.write(piece);
  return stream;
}

describe("standard input", () => {
  test.each([[['{"a":"}]\\\\"', ',"b":["{"]', "}\n"]], [['\uFEFF[{"a":"\\"}"}]']], [[...'{"a":{}}']]])(
    "that is JSON is read once it is whole, although it stays open: %j",
    async (pieces) => {
      const text = await readInput(written(...pieces), { json: true });
      expect(text).toBe(pieces.join("").replace("\uFEFF", "").trimEnd());
    },
  );

  test.each([[['{"a":1}', "{}"]], [['{"a":1}{}']], [['{"a"', ':1}, "b"']]])(
    "that is JSON ends with it, however what comes after it arrives: %j",
    async (pieces) => {
      expect(await readInput(written(...pieces), { json: true })).toBe('{"a":1}');
    },
  );

  test("that is left open can still be written, and does not fail", async () => {
    const stream = written("{}");
    await readInput(stream, { json: true });
    expect([stream.destroyed, stream.isPaused()]).toEqual([false, true]);
    await new Promise((resolve) => stream.write("\n", resolve));
  });

  test.each(["", '{"a":', "5", "no JSON"])("that has no whole object or array is read to its end: %j", async (text) => {
    const stream = new PassThrough();
    stream.end(text);
    expect(await readInput(stream, { json: true })).toBe(text);
    expect(await readInput(stream, { json: true })).toBe("");
  });

  test("of some lines is read until they are there, without blank ones", async () => {
    const pieces = ["o", "ne", "\n", " \r", "\ntwo\nth", "ree\n"];
    for (const given of [pieces, [pieces.join("")]]) expect(await readInput(written(...given), { lines: 2 })).toBe("one\n \r\ntwo\n");
    expect(await readInput(written("one\n", "\r\n", "two\n"), { lines: 2 })).toBe("one\n\r\ntwo\n");
  });

  test("of some lines is not put together again for each piece", async () => {
    const concat = vi.spyOn(Buffer, "concat");
    onTestFinished(() => concat.mockRestore());
    expect(await readInput(written(..."a long line\n"), { lines: 1 })).toBe("a long line\n");
    expect(concat).toHaveBeenCalledTimes(1);
  });

  test("that is not JSON is read to its end", async () => {
    const stream = written("{}\n");
    stream.end("[]\n");
    expect(await readInput(stream)).toBe("{}\n[]\n");
  });

  test("that is not whole in time, or too large, is an error", async () => {
    await expect(readInput(written('{"a":'), { json: true, within: 1 })).rejects.toMatchObject({ code: "TIMED_OUT" });
    await expect(readInput(written(Buffer.alloc(16_777_217, "x")))).rejects.toMatchObject({ code: "VALIDATION" });
  });
});
