import { expect, test } from "vitest";
import { noPicture, pictureProtocol, pictureSequence, placeFor, pngSize, readReplies } from "../src/terminal/pictures.ts";

test.each([
  [{ TERM: "xterm-kitty" }, "kitty"],
  [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "kitty"],
  [{ TERM: "xterm-ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "iterm"],
  [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux-0/default,1,0" }, undefined],
  [{ TERM: "xterm-kitty", STY: "1.pts" }, undefined],
  [{ TERM: "screen-256color", KITTY_WINDOW_ID: "1" }, undefined],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "iTerm.app" }, undefined],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, undefined],
  [{ TERM: "linux" }, undefined],
  [{ TERM: "xterm-256color" }, undefined],
  [{ TERM: "foot" }, undefined],
  [{ WT_SESSION: "1" }, undefined],
  [{ TERM: "foot", TMUX: "/tmp/tmux-0/default,1,0" }, undefined],
  [{}, undefined],
])("with %j pictures are shown by %s", (env, protocol) => {
  expect(pictureProtocol(env)).toBe(protocol);
});

/** With a sign for each escape. */
const visible = (text: string) => text.replaceAll("\u001b", "␛").replaceAll("\u0007", "␇");
const place = { row: 2, column: 3, columns: 10, rows: 5 };
const bytes = Uint8Array.from({ length: 7_000 }, (_, at) => at % 256);

test("kitty gets a picture in pieces, with nothing of it but its base64, and is told to forget it", () => {
  const sequence = visible(pictureSequence("kitty", bytes, place));
  expect(sequence.startsWith("␛[2;3H␛_Ga=T,f=100,i=4217,c=10,r=5,C=1,q=2,m=1;")).toBe(true);
  const pieces = [...sequence.matchAll(/␛_G([^;]*);([A-Za-z0-9+/=]{1,4096})␛\\/g)];
  expect(pieces.map(([, keys]) => keys?.slice(-3))).toEqual(["m=1", "m=1", "m=0"].map((end) => expect.stringContaining(end)));
  expect(Buffer.from(pieces.map(([, , data]) => data).join(""), "base64")).toEqual(Buffer.from(bytes));
  expect(sequence.replace(/␛_G[^;]*;[A-Za-z0-9+/=]*␛\\/g, "")).toBe("␛[2;3H");
  expect(noPicture("kitty")).toBe("\u001b_Ga=d,d=I,i=4217,q=2\u001b\\");
});

test("iTerm2 gets a picture in one piece, which goes with its cells", () => {
  const sequence = visible(pictureSequence("iterm", bytes, place));
  expect(sequence).toMatch(/^␛\[2;3H␛\]1337;File=inline=1;size=7000;width=10;height=5;[A-Za-z=1;]+:[A-Za-z0-9+/=]+␇$/);
  expect(noPicture("iterm")).toBe("");
});

test("a picture keeps its proportions, fits, and isn't made larger", () => {
  const window = { columns: 80, rows: 20, top: 2 };
  const cell = { width: 10, height: 20 };
  expect(placeFor({ width: 1_200, height: 600 }, cell, window)).toEqual({ row: 2, column: 1, columns: 80, rows: 20 });
  expect(placeFor({ width: 400, height: 1_200 }, cell, window)).toEqual({ row: 2, column: 34, columns: 13, rows: 20 });
  expect(placeFor({ width: 100, height: 100 }, cell, window)).toEqual({ row: 2, column: 36, columns: 10, rows: 5 });
  expect(placeFor({ width: 4_000, height: 1 }, cell, window)).toMatchObject({ columns: 80, rows: 1 });
});

test("only a PNG of a usual size is shown", () => {
  const png = (width: number, height: number, length = 100) => {
    const all = Buffer.alloc(length);
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(all);
    all.writeUInt32BE(width, 16);
    all.writeUInt32BE(height, 20);
    return all;
  };
  expect(pngSize(png(30, 20))).toEqual({ width: 30, height: 20 });
  for (const other of [png(0, 20), png(30, 4_294_967_295), png(30, 20, 1_000_001), png(30, 20).subarray(0, 20), Buffer.from("\u001b[31m")])
    expect(pngSize(other)).toBeUndefined();
});

test("answers of the terminal are told apart from keys", () => {
  expect(readReplies("\u001b[6;18;9tn")).toEqual({ cell: { width: 9, height: 18 }, keys: "n" });
  expect(readReplies("\u001b[6;0;0t\u001b[C")).toEqual({ keys: "\u001b[C" });
  expect(readReplies("a\u001b[6;18;9tb")).toEqual({ cell: { width: 9, height: 18 }, keys: "ab" });
});
