import type { HubStatus } from "@askbox/hub-process";
import { terminalLine } from "@askbox/terminal-text";
import { defaultWebhookKind } from "@askbox/webhooks";

/** How a webhook does, in a line. */
export function webhookLine({ kind, url, delivered, waiting, failed, trouble }: NonNullable<HubStatus["webhooks"]>[number]): string {
  const where = `${kind === defaultWebhookKind ? "" : `${kind}, `}${terminalLine(url)}`;
  const count = `${delivered} delivered${waiting > 0 ? `, ${waiting} pending` : ""}${failed > 0 ? `, ${failed} dropped` : ""}`;
  return `${where}: ${count}${trouble === undefined ? "" : `; last error: ${terminalLine(trouble)}`}`;
}
