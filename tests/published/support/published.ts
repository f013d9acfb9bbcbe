import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Consumer, makeConsumer } from "./consumer.ts";
import { type Packed, packAll } from "./pack.ts";
import type { Ran } from "./run.ts";

/** The public packages as users get them: packed once and installed once, for all tests. */
export interface Published {
  /** For files of the tests; deleted with everything else. */
  folder: string;
  packed: readonly Packed[];
  consumer: Consumer;
  /** The result of compiling the project with `nodenext`; its programs can run if it succeeded. */
  compiled: Ran;
  close(): Promise<void>;
}

const programs = join(import.meta.dirname, "../programs");

export async function publish(extra: Record<string, string>): Promise<Published> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "askbox-published-")));
  const close = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const tarballs = join(folder, "tarballs");
    await mkdir(tarballs);
    const packed = await packAll(tarballs);
    const sources = await Promise.all(
      (await readdir(programs)).map(async (name) => [name, await readFile(join(programs, name), "utf8")] as const),
    );
    const consumer = await makeConsumer(join(folder, "consumer"), packed, { ...Object.fromEntries(sources), ...extra });
    return { folder, packed, consumer, compiled: await consumer.compile("nodenext"), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finds one of them by its name. */
export function packedAs(name: string, { packed }: Published): Packed {
  const found = packed.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not a public package.`);
  return found;
}
