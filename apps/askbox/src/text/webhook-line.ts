import type { HubStatus } from "@askbox/hub-process";
import { defaultWebhookKind } from "@askbox/notify";
import { terminalLine } from "@askbox/terminal-text";

type Webhook = NonNullable<HubStatus["webhooks"]>[number];

/** The state of a webhook, on one line. */
export function webhookLine({ kind, url, ...counts }: Webhook): string {
  return `${kind === defaultWebhookKind ? "" : `${kind}, `}${terminalLine(url)}: ${countsOf(counts)}`;
}

/** The state of the pushes to browsers, on one line; undefined if none gets any. */
export function pushLine({ push }: HubStatus): string | undefined {
  if (push === undefined || push.browsers === 0) return undefined;
  return `${push.browsers} ${push.browsers === 1 ? "browser" : "browsers"}: ${countsOf(push)}`;
}

function countsOf({ delivered, waiting, failed, trouble }: Omit<Webhook, "kind" | "url">): string {
  const count = `${delivered} delivered${waiting > 0 ? `, ${waiting} pending` : ""}${failed > 0 ? `, ${failed} dropped` : ""}`;
  return `${count}${trouble === undefined ? "" : `; last error: ${terminalLine(trouble)}`}`;
}
