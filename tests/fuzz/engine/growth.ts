import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fault } from "./oracle.ts";

/** How often a unit is repeated in the smaller of two inputs, and in the larger: eight times as often. */
const sizes = { small: 4_000, large: 32_000 };
/** Processor time in ms: less than this is fast enough, whatever the growth. */
const quick = 400;
/** How much more work the larger input may take. Linear work takes eight times as much, quadratic work sixty-four times. */
const factor = 20;
/** How much memory all these inputs may leave behind, in bytes. */
const maxKept = 64 * 2 ** 20;

/** Placeholders that become longer texts; nested values grow in depth, which is limited separately. */
const growing = /@@(a|emoji|marks|spaces|lines|quotes|emphasis|brackets|links|bidi|controls|zeros|keys|digits):\d+@@/g;

export const canGrow = (input: unknown): boolean => JSON.stringify(input).search(growing) >= 0;

const sized = <Input>(input: Input, size: number): Input =>
  JSON.parse(JSON.stringify(input).replace(growing, (_sign, name: string) => `@@${name}:${size}@@`)) as Input;

/** Checks that time and memory are proportional to a growing input. */
export async function assertProportion<Input>(inputs: readonly Input[], take: (input: Input) => void | Promise<void>): Promise<void> {
  const work = async (input: Input): Promise<number> => {
    const before = process.cpuUsage();
    await take(input);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const kept = heapInUse();
  for (const input of inputs) {
    const large = sized(input, sizes.large);
    let much = await work(large);
    // Fast enough whatever the smaller one takes.
    if (much <= quick) continue;
    const small = sized(input, sizes.small);
    // The first run compiles what the second is measured with.
    await work(small);
    const few = await work(small);
    const isTooMuch = (much: number) => much > quick && much > factor * Math.max(few, 5);
    // Other work of the process can only add to it.
    for (let tries = 0; tries < 3 && isTooMuch(much); tries += 1) much = Math.min(much, await work(large));
    if (isTooMuch(much))
      fault(
        `Eight times as much took ${Math.round(much / few)} times the work: ${few} ms, then ${much} ms. ${JSON.stringify(input).slice(0, 500)}`,
      );
  }
  const grown = heapInUse() - kept;
  if (grown > maxKept) fault(`${inputs.length} inputs left ${Math.round(grown / 2 ** 20)} MiB behind.`);
}

function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
