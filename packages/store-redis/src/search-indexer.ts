import { setTimeout as pass } from "node:timers/promises";
import type { Log, SessionRecord } from "@askbox/core";
import { blockSize, readRecord, recordSchemaVersion, SearchBlockBuilder, searchText } from "@askbox/core/stores";
import type { Keys } from "./keys.ts";
import type { Link } from "./link.ts";
import type { Script } from "./scripts.ts";
import { claimedFor, searchScripts } from "./search-scripts.ts";
import { jsonOf, newWrite, storedSession } from "./values.ts";
import type { Writer } from "./writer.ts";

/** How many sessions are read, or parts encoded, before other work can run: 1 to 3 ms. */
const atOnce = 32;
/** How many sessions one script or command moves: less than a millisecond. */
const movedAtOnce = 128;

export interface SearchIndexerOptions {
  link: Pick<Link, "send">;
  writer: Pick<Writer, "run">;
  keys: Keys;
  log: Log;
  /** How long other work has between two steps, in ms; default 15. */
  pause?: number | undefined;
}

/**
 * Makes blocks of the sessions that wait, in the background and in small steps; one hub at a time does it. What it hasn't stored when it is
 * stopped, it or another hub does again.
 */
export class SearchIndexer {
  readonly #options: SearchIndexerOptions;
  readonly #name = newWrite();
  readonly #stop = new AbortController();
  /** How many changes there have been since it last looked. */
  #changes = 0;
  /** How many blocks it has checked for sessions that are gone. */
  #checked = 0;
  #working: Promise<void> | undefined;

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
  }

  /** A session was changed, by this hub or another. */
  noted(): void {
    this.#changes += 1;
    if (this.#changes >= blockSize) this.start();
  }

  start(): void {
    this.#changes = 0;
    const { signal } = this.#stop;
    if (signal.aborted) return;
    this.#working ??= this.#work()
      .catch((error: unknown) => {
        // Searches read what is waiting; the next changes, or a search that this makes slow, start it again.
        if (!signal.aborted) this.#options.log("warn", "The index of the search could not be continued.", { error: String(error) });
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  /** Resolves when it sends no more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    for (;;) {
      const claimed = await this.#run<"done" | "more" | "held" | "no">(searchScripts.claim);
      if (claimed === "no") return;
      // The other may stop before it is done.
      if (claimed === "held") await this.#pause(claimedFor);
      if (claimed === "more") await this.#pause();
      if (claimed !== "done") continue;
      if (!(await this.#addBlock())) return;
      // Two for one, so that blocks whose sessions are gone or in later blocks don't become many.
      const blocks = await this.#options.link.send<string[]>(["HKEYS", this.#options.keys.searchBlocks]);
      for (let count = 0; count < Math.min(2, blocks.length); count += 1) {
        this.#checked += 1;
        await this.#check(blocks[this.#checked % blocks.length] ?? "");
      }
    }
  }

  /** Resolves with whether it was stored. */
  async #addBlock(): Promise<boolean> {
    const { link, keys } = this.#options;
    const waiting = await this.#waiting();
    const builder = new SearchBlockBuilder();
    for (const some of chunks(waiting, atOnce)) {
      await this.#pause();
      const values = await link.send<(string | null)[]>(["HMGET", keys.sessions, ...some.map(([member]) => member.slice(16))]);
      for (const value of values) builder.add(textOf(value));
    }
    const block = newWrite();
    const members = waiting.map(([member]) => member).join("\n");
    // Searches look into it from now on; they also compare its sessions as long as these wait.
    if ((await this.#run(searchScripts.begin, block, builder.always.join(","), members)) === "no") return false;
    let parts: string[] = [];
    for (const { part, bytes } of builder.parts()) {
      parts.push(String(part), Buffer.from(bytes).toString("base64"));
      if (parts.length < 2 * atOnce) continue;
      if ((await this.#run(searchScripts.fill, block, ...parts)) === "no") return false;
      parts = [];
      await this.#pause();
    }
    if ((await this.#run(searchScripts.fill, block, ...parts)) === "no") return false;
    for (const some of chunks(waiting, movedAtOnce)) {
      if ((await this.#run(searchScripts.place, block, ...some.flat())) === "no") return false;
    }
    return true;
  }

  /** Sessions for a block, and the write that each waits for. Any will do. */
  async #waiting(): Promise<[member: string, write: string][]> {
    const { link, keys } = this.#options;
    const found = new Map<string, string>();
    let cursor = "0";
    do {
      const [next, fields] = await link.send<[string, string[]]>(["HSCAN", keys.searchWaiting, cursor, "COUNT", String(movedAtOnce)]);
      for (let at = 0; at + 1 < fields.length; at += 2) found.set(String(fields[at]), String(fields[at + 1]));
      cursor = next;
    } while (cursor !== "0" && found.size < blockSize);
    return [...found].slice(0, blockSize);
  }

  /** Removes a block if most of its sessions are gone or in a later one; the others wait again. */
  async #check(block: string): Promise<void> {
    const { link, keys } = this.#options;
    await this.#pause();
    const members = (await link.send<string | null>(["HGET", keys.searchParts, block]))?.split("\n") ?? [];
    const present: string[] = [];
    for (const some of chunks(members, movedAtOnce)) {
      const places = await link.send<(string | null)[]>(["HMGET", keys.searchPlaces, ...some]);
      present.push(...some.filter((_, nth) => places[nth] === block));
    }
    if (present.length * 2 >= members.length) return;
    for (const some of chunks(present, movedAtOnce)) {
      if ((await this.#run(searchScripts.displace, block, ...some)) === "no") return;
    }
    await this.#run(searchScripts.drop, block);
  }

  async #run<Verdict extends string = "done" | "no">(script: Script, ...args: readonly string[]): Promise<Verdict> {
    const [verdict] = await this.#options.writer.run<[Verdict]>(script, [this.#name, ...args]);
    return verdict;
  }

  /** Lets other work run; throws if it is stopped. */
  #pause(time = this.#options.pause ?? 15): Promise<void> {
    return pass(time, undefined, { signal: this.#stop.signal, ref: false });
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** What a search compares; undefined if this askbox can't read the session, but another may. */
function textOf(value: string | null): string | undefined {
  if (value === null) return "";
  try {
    const stored = jsonOf(storedSession(value).body) as SessionRecord;
    // Checking a whole record takes many times as long as reading its text.
    return searchText(stored.schema === recordSchemaVersion ? stored : readRecord(stored));
  } catch {
    return undefined;
  }
}
