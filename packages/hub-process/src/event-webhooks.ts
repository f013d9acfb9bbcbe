// What the subscriptions to MCP events need of this home: where they are kept, how their receivers are reached, and what changes in the inbox.

import { askedBack, type Broker, type Log } from "@askbox/core";
import type { HomeFiles } from "@askbox/home";
import type { CallbackAnswer, EventSubscriptions, EventSubscriptionsOptions } from "@askbox/mcp/http";
import { causeOf, endpointProblem, type PublicFetchOptions, publicFetch, webhookSecretProblem, webhookSignature } from "@askbox/notify";
import { type OpenedStore, openValues } from "./open-store.ts";
import type { HubSettings } from "./settings.ts";

/** Characters of a receiver's answer: a challenge. */
const longest = 4_096;

/** The subscriptions of a home; opened, with the MCP SDK, when they are first needed, and soon after the start for those of an earlier hub. */
export function eventWebhooks(
  { files, settings, log }: { files: Pick<HomeFiles, "mcpSessions">; settings: Pick<HubSettings, "config">; log: Log },
  parts: Pick<EventSubscriptionsOptions, "platform" | "wasRevoked"> &
    Pick<OpenedStore, "store" | "shared"> & { broker: Broker; instance: string },
) {
  const { config } = settings;
  const { platform, broker, store, shared, instance, wasRevoked } = parts;
  let running: EventSubscriptions | undefined;
  let opening: Promise<EventSubscriptions> | undefined;
  const open = async () => {
    const { EventSubscriptions } = await import("@askbox/mcp/http");
    const kept = await openValues(config.store, { path: files.mcpSessions, shared, clock: platform.clock });
    const asker = (owner: string) => broker.asker(owner);
    const reached = receivers(config.mcpEventHosts);
    running = new EventSubscriptions({ platform, kept, hub: shared && instance, ...reached, asker, wasRevoked, log });
    return running;
  };
  const subscriptions = () => {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    subscriptions,
    /** Whether something is to be sent. */
    get isBusy() {
      return running?.isBusy ?? false;
    },
    /** Sends what there is, from now on. Resolves, when it is ended, once nothing is sent any more. */
    follow(): () => Promise<void> {
      const look = (owner?: string) =>
        void subscriptions()
          .then((there) => there.changed(owner))
          .catch((error: unknown) => log("warn", "No MCP events are sent", { error: String(error) }));
      const stop = store.subscribe(({ revision, record }) => {
        const isNews = record === undefined || record.state !== "pending" || askedBack(record).length > 0;
        if (revision > 0 && isNews) look(record?.owner);
      });
      look();
      return async () => {
        stop();
        await (await opening?.catch(() => undefined))?.close();
      };
    },
  };
}

/** How receivers are reached, which agents name: as public addresses with the port of https, or as the config allows. */
export function receivers(
  configured: readonly string[],
  how: Pick<PublicFetchOptions, "lookup" | "isInside" | "tls"> = {},
): Pick<EventSubscriptionsOptions, "problem" | "post" | "sign"> {
  // As URLs write them: in lower case, without the port 443.
  const hosts = configured.flatMap((host) => (URL.canParse(`https://${host}`) ? new URL(`https://${host}`).host : []));
  const fetch = publicFetch({ ...how, allowed: hosts, longest, isDirect: true });
  const urlProblem = (url: string) => {
    const { host, port, hash } = new URL(url);
    const wrong = endpointProblem(url, hosts) ?? (hash === "" ? undefined : "has a fragment");
    return wrong ?? (port === "" || hosts.includes(host) ? undefined : "has another port than 443");
  };
  return {
    problem({ url, secret }) {
      const wrong = urlProblem(url);
      if (wrong !== undefined) return `delivery.url ${wrong}.`;
      if (!secret.startsWith("whsec_") || webhookSecretProblem(secret) !== undefined)
        return "delivery.secret must be whsec_ and the base64 of 24 to 64 bytes.";
      return undefined;
    },
    async post(url, { signal, ...sent }): Promise<CallbackAnswer> {
      // The config may have changed since.
      if (urlProblem(url) !== undefined) return "connection_refused";
      try {
        const response = await fetch(url, { method: "POST", ...sent, signal });
        return { status: response.status, text: await response.text() };
      } catch (error) {
        const cause = causeOf(error);
        if (signal.aborted || cause === "ETIMEDOUT") return "timeout";
        return /CERT|TLS|SSL|EPROTO|SIGNATURE/.test(cause) ? "tls_error" : "connection_refused";
      }
    },
    sign: webhookSignature,
  };
}
