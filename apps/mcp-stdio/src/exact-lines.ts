import { type Readable, Transform, type TransformCallback } from "node:stream";
import { parseAskJson } from "@askbox/core/schemas";

/** Bytes. The SDK refuses a longer line. */
const maxLine = 10 * 1_024 * 1_024;
const newline = 10;

/**
 * An MCP client's messages, with `inputJson` beside each `input` in an object called `holder`: the SDK parses numbers as usual, and this is
 * how the arguments of an action are kept as they were written.
 */
export function exactLines(input: Readable, holder?: string): Readable {
  let pieces: Buffer[] = [];
  let size = 0;
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        this.push(`${exact(Buffer.concat([...pieces, chunk.subarray(start, end)]).toString(), holder)}\n`);
        [pieces, size, start] = [[], 0, end + 1];
      }
      pieces.push(chunk.subarray(start));
      size += chunk.length - start;
      if (size > maxLine) {
        for (const piece of pieces) this.push(piece);
        [pieces, size] = [[], 0];
      }
      done();
    },
  });
  input.on("error", (error) => lines.destroy(error));
  input.once("close", () => lines.end());
  return input.pipe(lines);
}

function exact(line: string, holder = "action"): string {
  if (!(line.includes(`"${holder}"`) || line.includes("\\u"))) return line;
  try {
    return JSON.stringify(parseAskJson(line, holder));
  } catch {
    return line;
  }
}
