import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import jpeg from "jpeg-js";
import { decodingRoom } from "../limits.ts";
import { asItIs, mostBytes, orientationOf, type ReducedType, type ShownPicture } from "./picture-bytes.ts";
import { decodePng, encodePng, fitted, type Pixels, turned } from "./pixels.ts";

/** Milliseconds for one picture; more means that something is wrong with it. */
const timeout = 45_000;
/** What is tried until the picture is small enough: its longest side and JPEG's quality. */
// keys: the types that a reduced picture can have.
const attempts: Readonly<Record<ReducedType, readonly (readonly [longest: number, quality: number])[]>> = {
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
};

interface Job {
  kind: "askbox-picture";
  bytes: Uint8Array;
  type: string;
  as: ReducedType;
}

/** As clients pass pictures on, and as a terminal gets them, in bytes. */
// keys: the types that a reduced picture can have.
const mostOf: Readonly<Record<ReducedType, number>> = { "image/jpeg": mostBytes, "image/png": 1_000_000 };

/** The picture as it is or reduced, or a sentence that says why it can't be shown; throws if it can't be read. */
function show({ bytes, type, as }: Job): ShownPicture {
  const plain = asItIs(bytes, type, as);
  if (plain !== undefined) return plain;
  const pixels: Pixels =
    type === "image/png"
      ? decodePng(bytes)
      : jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 100, maxMemoryUsageInMB: decodingRoom() / 1_000_000 });
  const turn = type === "image/png" ? 1 : orientationOf(bytes);
  return { data: encoded(pixels, as, turn), mimeType: as };
}

/** The pixels as a file that is small enough, upright after this turn of EXIF's; throws if no attempt is. */
function encoded(pixels: Pixels, as: ReducedType, turn: number): Uint8Array {
  let smaller: Pixels | undefined;
  for (const [longest, quality] of attempts[as]) {
    // From what is reduced already, since that is quicker.
    smaller = fitted(smaller ?? pixels, longest);
    const upright = turned(smaller, turn);
    const data = as === "image/png" ? encodePng(upright) : jpeg.encode(upright, quality).data;
    if (data.length <= mostOf[as]) return data;
  }
  throw new RangeError("The picture cannot be reduced enough.");
}

/**
 * Shows a picture in a thread of its own, so that neither the time nor the memory that it takes holds up anything else. Rejects if that fails,
 * with a `TimeoutError` after the time, and at the signal.
 */
export function showInWorker(job: Omit<Job, "kind">, signal?: AbortSignal): Promise<ShownPicture> {
  // This file is the worker, too: in a bundle, its chunk.
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { kind: "askbox-picture", ...job } satisfies Job,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: Math.max(256, decodingRoom() / 2_000_000) },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ShownPicture>();
  const timer = setTimeout(() => reject(new DOMException("It takes too long.", "TimeoutError")), timeout);
  worker.once("message", resolve);
  const give = () => reject(signal?.reason);
  signal?.addEventListener("abort", give, { once: true });
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("It has ended.")));
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", give);
    return worker.terminate();
  });
}

const data: unknown = workerData;
if (!isMainThread && typeof data === "object" && data !== null && "kind" in data && data.kind === "askbox-picture") {
  parentPort?.postMessage(show(data as Job));
}
