import { writeFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { casesOf, saveCase } from "./cases.ts";
import { assertProportion, canGrow } from "./growth.ts";
import { assertUnpolluted, Fault, fault } from "./oracle.ts";

/** A parser of external input. */
export interface Target<Input> {
  name: string;
  /** The input; plain JSON, so that it can be saved. */
  input: fc.Arbitrary<Input>;
  /** Opens a function that processes inputs one after the other. */
  open(): Subject<Input> | Promise<Subject<Input>>;
  /** The number of inputs that the tests send. Default 60. */
  runs?: number;
}

interface Subject<Input> {
  /** Throws if the input was handled wrongly. */
  take(input: Input): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** The maximum processor time per input, in ms; far more than a slow machine needs for a megabyte. */
const maxWork = 10_000;
/** How many inputs are searched for one that can grow, and how many of those are tried. */
const growing = { among: 400, tried: 5 };
/** The time limit per input, in ms. */
const timeout = 30_000;

const seconds = Number(process.env["FUZZ_SECONDS"] ?? 0);
/** The same in each run of the tests, so that none fails by chance. */
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const heartbeat = process.env["FUZZ_HEARTBEAT"];

/** Declares the tests of a target: inputs that once failed, and seeded inputs; `pnpm fuzz` sends more of them, for `FUZZ_SECONDS`. */
export function fuzz<Input>({ name, input, open, runs = 60 }: Target<Input>): void {
  describe(`fuzz ${name}`, () => {
    let subject: Subject<Input>;
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => void rejected.push(reason);
    beforeAll(async () => {
      subject = await open();
      process.on("unhandledRejection", onRejection);
      process.on("uncaughtException", onRejection);
    });
    afterAll(async () => {
      process.off("unhandledRejection", onRejection);
      process.off("uncaughtException", onRejection);
      await subject.close?.();
    });

    const take = async (sent: Input) => {
      // If this process hangs, the process that watches it finds the input here.
      if (heartbeat !== undefined) writeFileSync(heartbeat, JSON.stringify({ target: name, input: sent }));
      const before = process.cpuUsage();
      await within(subject.take(sent));
      await turn();
      const { user, system } = process.cpuUsage(before);
      const [reason] = rejected.splice(0);
      if (reason !== undefined) fault(`Nobody caught this: ${reason instanceof Error ? reason.stack : String(reason)}`);
      assertUnpolluted();
      if ((user + system) / 1_000 > maxWork) fault(`It took ${Math.round((user + system) / 1_000)} ms of processor time.`);
    };

    const known = casesOf<Input>(name);
    if (known.length > 0) test.each(known)("handles an input that once failed: $file, $why", ({ input: sent }) => take(sent), timeout * 2);

    test(
      `handles any input (seed ${seed})`,
      async () => {
        const details = await fc.check(fc.asyncProperty(input, take), {
          seed,
          ...(seconds > 0 ? { numRuns: 1e9, interruptAfterTimeLimit: seconds * 1_000 } : { numRuns: runs }),
        });
        if (heartbeat !== undefined) console.log(`${name}: ${details.numRuns} inputs, seed ${seed}`);
        if (!details.failed || details.counterexample === null) return;
        const why = String(
          details.errorInstance instanceof Fault ? details.errorInstance.message : (details.errorInstance as Error)?.stack,
        );
        const kept = heartbeat === undefined ? "" : `\nKept as ${saveCase(name, why, details.counterexample[0])}`;
        const replay = `pnpm fuzz --target ${name} --seed ${seed}`;
        expect.fail(`${why}\nInput: ${JSON.stringify(details.counterexample[0]).slice(0, 2_000)}\nAgain: ${replay}${kept}`);
      },
      seconds * 1_000 + 300_000,
    );

    test("uses time and memory in proportion to the input", async () => {
      const inputs = fc.sample(input, { seed, numRuns: growing.among }).filter(canGrow).slice(0, growing.tried);
      expect(inputs.length).toBeGreaterThan(0);
      await assertProportion(inputs, take);
    }, 300_000);
  });
}

async function within(work: void | Promise<void>): Promise<void> {
  if (work === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault(`Not dealt with after ${timeout} ms.`)), timeout);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
