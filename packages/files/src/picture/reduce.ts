import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import jpeg from "jpeg-js";
import { inTurn } from "../in-turn.ts";
import { decodePng } from "./decode-png.ts";
import { encodePng } from "./encode-png.ts";
import { orientationOf } from "./metadata.ts";
import { fitted, type Pixels, turned } from "./pixels.ts";

/** Milliseconds for one picture; more means that something is wrong with it. */
const timeout = 45_000;
/** What is tried until the picture is small enough: its longest side and JPEG's quality. */
const attempts = {
  "image/jpeg": [
    [2_000, 85],
    [2_000, 70],
    [1_600, 65],
    [1_200, 60],
    [800, 50],
  ],
  // The last one is small enough even if nothing packs it.
  "image/png": [
    [1_200, 0],
    [800, 0],
    [500, 0],
  ],
} as const;

/** What a reduced picture can be. */
export type ReducedType = keyof typeof attempts;

interface Job {
  kind: "askbox-picture";
  bytes: Uint8Array;
  type: string;
  as: ReducedType;
  most: number;
}

/** The picture in at most these bytes; throws if it can't be read. */
function reduce({ bytes, type, as, most }: Job): Uint8Array {
  const pixels: Pixels =
    type === "image/png" ? decodePng(bytes) : jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 100, maxMemoryUsageInMB: 768 });
  return encoded(pixels, { as, most, turn: type === "image/png" ? 1 : orientationOf(bytes) });
}

/** The pixels as a file of at most these bytes, upright after this turn of EXIF's; throws if no attempt is small enough. */
export function encoded(pixels: Pixels, { as, most, turn = 1 }: Pick<Job, "as" | "most"> & { turn?: number }): Uint8Array {
  let smaller: Pixels | undefined;
  for (const [longest, quality] of attempts[as]) {
    // From what is reduced already, since that is quicker.
    smaller = fitted(smaller ?? pixels, longest);
    const upright = turned(smaller, turn);
    const data = as === "image/png" ? encodePng(upright) : jpeg.encode(upright, quality).data;
    if (data.length <= most) return data;
  }
  throw new RangeError("The picture cannot be reduced enough.");
}

/** Reduces a PNG or JPEG, one at a time. Rejects if that fails or takes too long. */
export const reduceInWorker = (job: Omit<Job, "kind">): Promise<Uint8Array> =>
  // This file is the worker, too: in a bundle, its chunk.
  inTurn("reduced", () => inWorker(import.meta.url, { kind: "askbox-picture", ...job } satisfies Job, { most: timeout }));

/** What a worker posts: a part of the result, as far as it is, or all of it. */
export interface Posted<Result> {
  result: Result;
  isWhole: boolean;
}

interface WorkerOptions<Result> {
  /** Milliseconds. */
  most: number;
  onPart?: (soFar: Result) => void;
}

/**
 * What a file posts for this job in a thread of its own, so that neither the time nor the memory that it takes holds up anything else. Rejects
 * if that fails, and with a `TimeoutError` after the time.
 */
export function inWorker<Result>(file: string, workerData: { kind: string }, { most, onPart }: WorkerOptions<Result>): Promise<Result> {
  const worker = new Worker(fileURLToPath(file), {
    workerData,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(new DOMException("It takes too long.", "TimeoutError")), most);
  worker.on("message", ({ result, isWhole }: Posted<Result>) => (isWhole ? resolve(result) : onPart?.(result)));
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("It has ended.")));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

const data: unknown = workerData;
if (!isMainThread && typeof data === "object" && data !== null && "kind" in data && data.kind === "askbox-picture") {
  parentPort?.postMessage({ result: reduce(data as Job), isWhole: true } satisfies Posted<Uint8Array>);
}
