/** Runs the published contract suites on the packages' own implementations, and prints how many cases passed. */
import { memoryStore } from "@askbox/core";
import { type ContractCase, durableStoreContract, fakeClock, severalWritersContract, storeContract } from "@askbox/core/testing";
import { memoryElicitationStore } from "@askbox/elicit";
import { elicitationStoreContract } from "@askbox/elicit/testing";
import { tokenList } from "@askbox/hub";
import { tokenStoreContract } from "@askbox/hub/testing";
import { openSqliteStore } from "@askbox/store-sqlite";

let held = 0;

async function hold<Harness>(suite: readonly ContractCase<Harness>[], harness: (index: number) => Harness): Promise<void> {
  for (const [index, contractCase] of suite.entries()) {
    await contractCase.run(harness(index));
    held += 1;
  }
}

await hold(storeContract, () => ({ open: async () => memoryStore() }));
await hold([...durableStoreContract, ...severalWritersContract], (index) => {
  const open = () => openSqliteStore({ path: `contract-${index}.db` });
  return { open, reopen: open };
});
await hold(tokenStoreContract, () => ({ open: async () => tokenList() }));
await hold(elicitationStoreContract, () => ({
  async open() {
    const clock = fakeClock();
    return { store: memoryElicitationStore(clock), advance: async (ms) => clock.advance(ms) };
  },
}));
console.log(held);
