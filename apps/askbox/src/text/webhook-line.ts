import type { HubStatus } from "@askbox/hub-process";
import { defaultWebhookKind } from "@askbox/notify";
import { terminalLine } from "@askbox/terminal-text";

/** The state of a webhook, on one line. */
export function webhookLine({ kind, url, delivered, waiting, failed, trouble }: NonNullable<HubStatus["webhooks"]>[number]): string {
  const where = `${kind === defaultWebhookKind ? "" : `${kind}, `}${terminalLine(url)}`;
  const count = `${delivered} delivered${waiting > 0 ? `, ${waiting} pending` : ""}${failed > 0 ? `, ${failed} dropped` : ""}`;
  return `${where}: ${count}${trouble === undefined ? "" : `; last error: ${terminalLine(trouble)}`}`;
}
