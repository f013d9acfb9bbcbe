import type { ContractCase } from "../contract.ts";
import type { PortsHarness } from "../ports-harness.ts";
import { deskAgents } from "./agents.ts";
import { deskAskingBack } from "./asking-back.ts";
import { deskDeadlines } from "./deadlines.ts";
import { deskRepeating } from "./repeating.ts";
import { deskSettling } from "./settling.ts";
import { deskWatching } from "./watching.ts";

/**
 * The contract of every `Desk`.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { deskContract, type PortsHarness } from "@askbox/core/testing";
 *
 * export function prove(harness: PortsHarness) {
 *   for (const promise of deskContract) test(promise.name, () => promise.run(harness));
 * }
 * ```
 */
export const deskContract: readonly ContractCase<PortsHarness>[] = [
  ...deskWatching,
  ...deskDeadlines,
  ...deskSettling,
  ...deskRepeating,
  ...deskAskingBack,
  ...deskAgents,
];
