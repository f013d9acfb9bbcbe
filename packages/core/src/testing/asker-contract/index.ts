import type { ContractCase } from "../contract.ts";
import type { PortsHarness } from "../ports-harness.ts";
import { askerAskingAgain } from "./asking-again.ts";
import { askerAskingBack } from "./asking-back.ts";
import { askerForms } from "./forms.ts";
import { askerWaiting } from "./waiting.ts";

/** What every `Asker` promises. */
export const askerContract: readonly ContractCase<PortsHarness>[] = [
  ...askerWaiting,
  ...askerAskingAgain,
  ...askerAskingBack,
  ...askerForms,
];
