import type { ContractCase } from "../contract.ts";
import type { PortsHarness } from "../ports-harness.ts";
import { askerAskingAgain } from "./asking-again.ts";
import { askerAskingBack } from "./asking-back.ts";
import { askerForms } from "./forms.ts";
import { askerWaiting } from "./waiting.ts";
import { askerWhatWasShown } from "./what-was-shown.ts";

/**
 * The contract of every `Asker`.
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { askerContract, type PortsHarness } from "@askbox/core/testing";
 *
 * export function prove(harness: PortsHarness) {
 *   for (const promise of askerContract) test(promise.name, () => promise.run(harness));
 * }
 * ```
 */
export const askerContract: readonly ContractCase<PortsHarness>[] = [
  ...askerWaiting,
  ...askerAskingAgain,
  ...askerWhatWasShown,
  ...askerAskingBack,
  ...askerForms,
];
