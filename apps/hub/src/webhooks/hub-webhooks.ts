import type { Broker, Log, Platform } from "@askbox/core";
import { startWebhooks, type Target, type Webhooks } from "@askbox/notify";
import { outboxFile } from "./outbox-file.ts";

export interface HubWebhooksOptions {
  broker: Broker;
  targets: readonly Target[];
  /** Stores pending deliveries. */
  file: string;
  platform: Platform;
  log: Log;
  /** Whether this hub is the one that delivers an event. */
  claim: ((eventId: string) => Promise<boolean>) | undefined;
}

/** Notifies the configured webhooks when sessions open and settle. */
export function startHubWebhooks({ broker, targets, file, platform, log, claim }: HubWebhooksOptions): Promise<Webhooks> {
  return startWebhooks({ desk: broker.desk({ surface: "api" }), targets, storage: outboxFile(file), clock: platform.clock, log, claim });
}
