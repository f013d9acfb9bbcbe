import type { ContractCase } from "../contract.ts";
import type { PortsHarness } from "../ports-harness.ts";
import { askerAskingAgain } from "./asking-again.ts";
import { askerAskingBack } from "./asking-back.ts";
import { askerForms } from "./forms.ts";
import { askerWaiting } from "./waiting.ts";

/** The contract of every `Asker`. */
export const askerContract: readonly ContractCase<PortsHarness>[] = [
  ...askerWaiting,
  ...askerAskingAgain,
  ...askerAskingBack,
  ...askerForms,
];
