/**
 * For testing askbox and programs that use it: a fake clock, fixtures, and contract suites.
 *
 * A contract suite is a plain list that works with any test framework:
 *
 *     for (const c of storeContract) test(c.name, () => c.run({ open: () => openMyStore() }));
 */

export { type AgentsHarness, agentsContract } from "./agents-contract.ts";
export { askerContract } from "./asker-contract/index.ts";
export { type BlobsHarness, blobsContract } from "./blobs-contract.ts";
export { assert, assertEqual, assertRejects, type ContractCase, ContractViolation } from "./contract.ts";
export { deskContract } from "./desk-contract/index.ts";
export { type FakeClock, type FakeClockOptions, fakeClock } from "./fake-clock.ts";
export { anAsk, anAsker, anOutcome, aRecord, settled } from "./fixtures.ts";
export { aGrant, type GrantsHarness, grantsContract } from "./grants-contract.ts";
export {
  ada,
  ask,
  bob,
  deliver,
  earlierOf,
  type Inbox,
  type InboxOptions,
  onInbox,
  type PortsHarness,
  resumed,
  validSet,
} from "./ports-harness.ts";
export { aRan, type RanHarness, ranContract } from "./ran-contract.ts";
export { type SharedHarness, sharedContract } from "./shared-contract.ts";
export {
  type DurableStoreHarness,
  durableStoreContract,
  type StoreHarness,
  severalWritersContract,
  storeContract,
} from "./store-contract/index.ts";
export { seededIds, testDigest, testPlatform } from "./test-platform.ts";
