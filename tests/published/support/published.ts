import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Consumer, makeConsumer } from "./consumer.ts";
import { type Packed, packAll } from "./pack.ts";
import type { Ran } from "./run.ts";

/** The public packages as others get them: packed once, installed once, for all that looks at them. */
export interface Published {
  /** For whatever a test leaves behind; it goes away with all the rest. */
  folder: string;
  packed: readonly Packed[];
  consumer: Consumer;
  /** How the project compiled under `nodenext`; its programs can be run if it did. */
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
