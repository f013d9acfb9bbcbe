/** Bundled into a page of its own: runs the store contract where IndexedDB is. */
import { durableStoreContract, severalWritersContract, storeContract } from "@askbox/core/testing";
import { indexedDbStore } from "../../examples/browser-only/indexed-db-store.ts";

const cases = [...storeContract, ...durableStoreContract, ...severalWritersContract];

/** Runs the case of this number over a database of its own, and resolves with what it found wrong. */
async function runCase(number: number): Promise<string | undefined> {
  const open = () => indexedDbStore(`contract-${number}`);
  try {
    await cases[number]?.run({ open, reopen: open });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

Object.assign(globalThis, { runCase });
