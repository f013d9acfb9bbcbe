import { readFileSync } from "node:fs";

const headerSize = 32;
const frameHeaderSize = 24;

/**
 * What is wrong with a write-ahead log; undefined if nothing is. SQLite replays a log up to the first frame with a wrong checksum and
 * silently drops the rest, including commits, so this checks it before SQLite does. A log that was cut off by a power failure in the middle
 * of a write looks damaged as well. Format: sqlite.org/fileformat2.html, section 4.
 */
export function walProblem(path: string): string | undefined {
  let log: Buffer;
  try {
    log = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  if (log.length < headerSize || log.subarray(0, headerSize).every((byte) => byte === 0)) return undefined;
  const magic = log.readUInt32BE(0);
  const pageSize = log.readUInt32BE(8) || 65_536;
  if ((magic & ~1) !== 0x377f0682 || pageSize < 512 || pageSize > 65_536) return "the header of its write-ahead log is damaged";
  const sum = checksummer(log, (magic & 1) === 1);
  let state = sum(0, 24, [0, 0]);
  if (!matches(log, 24, state)) return "the header of its write-ahead log is damaged";

  const salts = log.subarray(16, 24);
  const frameSize = frameHeaderSize + pageSize;
  for (let at = headerSize, frame = 1; at + frameSize <= log.length; at += frameSize, frame += 1) {
    const ofThisLog = log.subarray(at + 8, at + 16).equals(salts);
    state = sum(at + frameHeaderSize, pageSize, sum(at, 8, state));
    const sound = matches(log, at + 16, state);
    // What follows the last commit is left from earlier rounds, with other salts and checksums of another chain.
    if (!ofThisLog && !sound) return undefined;
    if (!ofThisLog || !sound) return `frame ${frame} of its write-ahead log is damaged`;
  }
  return undefined;
}

type Sums = readonly [number, number];

function checksummer(log: Buffer, bigEndian: boolean): (from: number, length: number, seed: Sums) => Sums {
  const word = (at: number) => (bigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at));
  return (from, length, [first, second]) => {
    let one = first;
    let two = second;
    for (let at = from; at < from + length; at += 8) {
      one = (one + word(at) + two) >>> 0;
      two = (two + word(at + 4) + one) >>> 0;
    }
    return [one, two];
  };
}

const matches = (log: Buffer, at: number, [one, two]: Sums) => log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two;
