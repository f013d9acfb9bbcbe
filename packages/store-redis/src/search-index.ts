import { blockSize, numbersIn, partOf, searchGrams, searchWords } from "@askbox/core/stores";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";
import { searchScripts } from "./search-scripts.ts";

/** More candidates than this are so frequent that reading sessions in order soon fills the page. */
const mostCandidates = 20_000;
/** The maximum number of waiting sessions among the candidates. */
const mostWaiting = 3 * blockSize;
/** How many blocks' parts are read at once: some hundred kilobytes. */
const blocksAtOnce = 20;
/** How often it begins again if blocks are removed meanwhile. */
const tries = 3;

/**
 * Every session that a search for this text can find, and some others, each as time and id; undefined if they are too many, or if the index
 * can't say. `isBehind` says that it should be continued.
 */
export async function candidatesFor(
  link: Pick<Link, "send" | "run">,
  keys: Keys,
  text: string,
  isBehind: () => void,
): Promise<string[] | undefined> {
  const grams = searchGrams(searchWords(text));
  if (grams === undefined) return undefined;
  for (let tried = 0; tried < tries; tried += 1) {
    const [waiting, list] = await link.run<[string[]?, string[]?]>(searchScripts.state, [String(mostWaiting)]);
    if (waiting === undefined || list === undefined) {
      isBehind();
      return undefined;
    }
    const blocks = list.flatMap((block, at) => (at % 2 === 0 ? [{ block, always: list[at + 1] ?? "" }] : []));
    const candidates = new Set(waiting);
    for (let from = 0; from < blocks.length; from += blocksAtOnce) {
      for (const candidate of await candidatesIn(link, keys, grams, blocks.slice(from, from + blocksAtOnce))) candidates.add(candidate);
      if (candidates.size > mostCandidates) return undefined;
    }
    // A block that was removed meanwhile has put its sessions among those that wait.
    const still = blocks.length === 0 ? [] : await link.send<unknown[]>(["HMGET", keys.searchBlocks, ...blocks.map(({ block }) => block)]);
    if (!still.includes(null)) return [...candidates];
  }
  return undefined;
}

async function candidatesIn(
  link: Pick<Link, "send">,
  keys: Keys,
  grams: readonly number[],
  blocks: readonly { block: string; always: string }[],
): Promise<string[]> {
  const wanted = [...new Set(grams.map(partOf))];
  const fields = blocks.flatMap(({ block }) => wanted.map((part) => `${block}.${part}`));
  const read = await link.send<(string | null)[]>(["HMGET", keys.searchParts, ...fields]);
  const found = blocks.flatMap(({ block, always }, nth) => {
    const numbers = numbersIn(grams, (part) => {
      const bytes = read[nth * wanted.length + wanted.indexOf(part)] ?? null;
      return bytes === null ? undefined : Buffer.from(bytes, "base64");
    });
    if (always !== "") numbers.push(...always.split(",").map(Number));
    return numbers.length === 0 ? [] : [{ block, numbers }];
  });
  if (found.length === 0) return [];
  const members = await link.send<(string | null)[]>(["HMGET", keys.searchParts, ...found.map(({ block }) => block)]);
  return found.flatMap(({ numbers }, nth) => {
    const all = members[nth]?.split("\n") ?? [];
    return numbers.flatMap((number) => all[number] ?? []);
  });
}
