import { AskboxError } from "../errors.ts";
import { type Ran, type RanLog, type RanPage, type RanQuery, ranSchema } from "../ports/ran.ts";
import type { SharedState } from "../ports/shared.ts";
import { searchWords } from "../session/search-text.ts";
import { pageLimit } from "./pages.ts";

/**
 * What ran without a person, in values that expire: blocks of lines, each under a key with its number, and the number of the newest.
 *
 * A writer adds to the newest block if nobody has changed it meanwhile, and begins the next one when it is full. Whoever begins one removes
 * the block that is too much then; the others go by their time. Killed in between, the newest block is missing, which the next writer
 * writes. A list ends at a block that is missing otherwise: those before it are older.
 */

const perBlock = 50;
const maxBlocks = 200;
/** Far more attempts than there can be hubs writing at once. */
const maxTries = 100;
/** Blocks that are read for one page, so that a search that finds little doesn't hold up others. */
const maxReads = 40;
/** More than a client can do before the store is back; the oldest are dropped. */
const maxWaiting = 1_000;

/** The clock of a list of what ran, and how far it goes back. */
export interface KeptRanOptions {
  /** Wall time, ms since the epoch. */
  now(): number;
  /** How long actions are kept, in ms. */
  keep: number;
}

const keyOf = (block: number) => `ran:${block}`;
const linesOf = (stored: string | undefined) => (stored === undefined ? [] : stored.split("\n"));

/** The newest 10,000 actions of the last `keep` ms, over values of which each hub has the same. */
export function keptRan(values: Pick<SharedState, "get" | "swap">, { now, keep }: KeptRanOptions): RanLog {
  let waiting: string[] = [];
  let last: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    for (let tries = 0; lines.length > 0; tries += 1) {
      if (tries > maxTries + lines.length) throw new AskboxError("CONFLICT", "Other hubs kept adding at the same time.");
      const head = await values.get("ran");
      const block = Number(head ?? 0);
      const stored = await values.get(keyOf(block));
      const before = linesOf(stored);
      if (before.length < perBlock) {
        const more = lines.slice(0, perBlock - before.length);
        if (await values.swap(keyOf(block), stored, [...before, ...more].join("\n"), keep)) lines.splice(0, more.length);
      } else if (await values.swap("ran", head, String(block + 1), null)) {
        const key = keyOf(block + 1 - maxBlocks);
        await values.swap(key, await values.get(key), undefined, null);
      }
    }
  };

  return {
    async add(actions) {
      waiting = [...waiting, ...actions.map((action) => JSON.stringify(ranSchema.parse(action)))].slice(-maxWaiting);
      const done = last.then(flush);
      last = done.catch(() => {});
      await done;
    },
    async list({ limit, cursor, ...query }: RanQuery = {}): Promise<RanPage> {
      const head = Number((await values.get("ran")) ?? 0);
      const wanted = pageLimit(limit);
      const isWanted = filterOf(query, now() - keep);
      const items: RanPage["items"] = [];
      let [block, end] = cursor === undefined ? [head, perBlock] : positionOf(cursor);
      for (let reads = 0; block > head - maxBlocks && block >= 0; reads += 1, block -= 1, end = perBlock) {
        if (reads === maxReads) return { isOn: true, items, nextCursor: `${block}.${end}` };
        const stored = await values.get(keyOf(block));
        if (stored === undefined && block < head) break;
        const lines = linesOf(stored);
        for (let at = Math.min(end, lines.length) - 1; at >= 0; at -= 1) {
          const ran = readLine(lines[at] ?? "");
          if (ran === undefined || !isWanted(ran)) continue;
          if (items.length === wanted) return { isOn: true, items, nextCursor: `${block}.${at + 1}` };
          items.push({ id: `${block}.${at}`, ...ran });
        }
      }
      return { isOn: true, items };
    },
  };
}

function positionOf(cursor: string): [block: number, end: number] {
  const [, block, end] = /^(\d{1,15})\.(\d{1,3})$/.exec(cursor) ?? [];
  if (block !== undefined && end !== undefined) return [Number(block), Number(end)];
  throw new AskboxError("VALIDATION", "The cursor is invalid; start again without one.");
}

/** A newer hub may have written what this one can't read. */
function readLine(line: string): Ran | undefined {
  try {
    return ranSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function filterOf({ reach, kind, by, text = "" }: RanQuery, since: number): (ran: Ran) => boolean {
  const words = searchWords(text);
  return (ran) => {
    if (ran.at <= since) return false;
    if (reach !== undefined && !ran.reach.includes(reach)) return false;
    if ((kind !== undefined && ran.kind !== kind) || (by !== undefined && ran.by.kind !== by)) return false;
    const { what, tool, project, machine, client, agentId, by: who } = ran;
    const found = [what, tool, project, machine, client, agentId, who.name].join("\n").toLowerCase();
    return words.every((word) => found.includes(word));
  };
}
