import { join } from "node:path";
import type { SharedState } from "@askbox/core";
import { type HomeFolders, readJsonFile, writePrivateFile } from "@askbox/home";
import { spaceKey } from "./space-tokens.ts";

/**
 * Notes that this home serves a space, and returns a sentence if it did so before and the store has nothing of it any more: it was emptied, or
 * started without its data. Called before the space's tokens are made.
 */
export async function lostSpace(shared: SharedState, folders: HomeFolders, store: string): Promise<string | undefined> {
  const file = join(folders.data, "space.json");
  const isThere = (await shared.get(spaceKey)) !== undefined;
  const isKnown = readJsonFile(file)?.["store"] === store;
  if (!isKnown) writePrivateFile(file, JSON.stringify({ store }));
  if (isThere || !isKnown) return undefined;
  return `${store} has nothing of the inbox that this hub has served there before: it was emptied, or started without its data. Its questions, tokens and logins are gone, unless you restore them.`;
}
