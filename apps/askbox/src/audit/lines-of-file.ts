import { createReadStream } from "node:fs";
import { usageError } from "../usage.ts";

/** In characters; entries of the log are far shorter. */
const maxLine = 8 * 1_024 * 1_024;

/** Reads a file line by line, so that a file of any size fits in memory. Throws `VALIDATION` if it can't be read or isn't made of lines. */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  let begun: string[] = [];
  let length = 0;
  const finish = (end: string) => {
    const line = [...begun, end].join("").replace(/\r$/, "");
    begun = [];
    length = 0;
    return line;
  };
  try {
    for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
      const [first = "", ...others] = chunk.split("\n");
      const rest = others.pop();
      if (rest === undefined) begun.push(first);
      else {
        yield finish(first);
        yield* others.map((line) => finish(line));
        begun.push(rest);
      }
      length += begun.at(-1)?.length ?? 0;
      if (length > maxLine) throw usageError(`${path} is not an exported record: one of its lines is too long.`);
    }
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw usageError(`${path} can't be read: ${error.message}.`);
    throw error;
  }
  const last = finish("");
  if (last !== "") yield last;
}
