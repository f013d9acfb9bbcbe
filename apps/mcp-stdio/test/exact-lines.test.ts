import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { exactLines } from "../src/exact-lines.ts";

async function through(chunks: (string | Buffer)[], holder?: string): Promise<string[]> {
  const lines: Buffer[] = [];
  for await (const piece of exactLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), holder)) lines.push(Buffer.from(piece));
  return Buffer.concat(lines).toString().split("\n");
}

test("a message is passed on as it is, except for the text of an action's arguments", async () => {
  const call = '{"id":1,"params":{"questions":[{"action":{"kind":"tool","input":{"id":9007199254740993}}}]}}';
  const bytes = Buffer.from(`{"id":1.0,"text":"ä\u2028"}\r\n${call}\nno JSON\n`);
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  const [plain, asked = "", broken, ...rest] = await through(pieces);
  expect([plain, broken, rest]).toEqual(['{"id":1.0,"text":"ä\u2028"}\r', "no JSON", [""]]);
  expect(JSON.parse(asked).params.questions[0].action).toEqual({
    kind: "tool",
    input: { id: 9_007_199_254_740_992 },
    inputJson: '{"id":9007199254740993}',
  });
});

test("a line that the SDK refuses is not collected, and the end without a line break is the end", async () => {
  const piece = "x".repeat(1_024 * 1_024);
  expect((await through(Array.from({ length: 12 }, () => piece))).join("")).toHaveLength(11 * piece.length);
});
