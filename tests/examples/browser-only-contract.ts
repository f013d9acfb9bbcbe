/** Bundled into its own page: runs the store contract in a browser with IndexedDB. */
import { durableStoreContract, severalWritersContract, storeContract } from "@askbox/core/testing";
import { indexedDbStore } from "../../examples/browser-only/indexed-db-store.ts";

const cases = [...storeContract, ...durableStoreContract, ...severalWritersContract];

/** Runs the case with this number on its own database, and resolves with its error. */
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
