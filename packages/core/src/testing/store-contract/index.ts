import type { ContractCase } from "../contract.ts";
import { auditCases } from "./audit.ts";
import { changeCases } from "./changes.ts";
import { deadlineCases } from "./deadlines.ts";
import { draftCases } from "./drafts.ts";
import type { StoreHarness } from "./harness.ts";
import { listingCases } from "./listing.ts";
import { sessionCases } from "./sessions.ts";
import { textCases } from "./texts.ts";

/**
 * The contract of the port `SessionStore`. A store that outlives its process must also pass `durableStoreContract`, and one that
 * several processes can open at once `severalWritersContract`.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { memoryStore } from "@askbox/core";
 * import { storeContract } from "@askbox/core/testing";
 *
 * for (const promise of storeContract) test(promise.name, () => promise.run({ open: async () => memoryStore() }));
 * ```
 */
export const storeContract: readonly ContractCase<StoreHarness>[] = [
  ...sessionCases,
  ...listingCases,
  ...deadlineCases,
  ...draftCases,
  ...changeCases,
  ...textCases,
  ...auditCases,
];

export { durableStoreContract } from "./durable.ts";
export type { DurableStoreHarness, StoreHarness } from "./harness.ts";
export { severalWritersContract } from "./several-writers.ts";
