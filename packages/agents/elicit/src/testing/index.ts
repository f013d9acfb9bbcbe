/**
 * Tests your own store for `elicit()`:
 *
 *     for (const c of elicitationStoreContract) test(c.name, () => c.run({ open: async () => ({ store, advance }) }));
 */
export { type ElicitationStoreHarness, elicitationStoreContract } from "./elicitation-store-contract.ts";
