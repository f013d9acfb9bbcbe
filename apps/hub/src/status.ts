import type { AttentionMode } from "@askbox/attention";
import type { Answerer } from "@askbox/core";
import type { Durability } from "@askbox/core/stores";
import { type ConnectHubOptions, connectHub, untilGone } from "@askbox/home";
import type { TargetStatus } from "@askbox/webhooks";
import type { HubPeer } from "./cluster/peer.ts";

/** The status a hub reports. */
export interface HubStatus {
  version: string;
  instance: string;
  pid: number;
  url: string;
  /** Run by a person in a terminal, or by a service; else it was started by a client. */
  foreground: boolean;
  /** The hub's wall time, ms since the epoch. */
  now: number;
  /** Wall time, ms since the epoch. */
  startedAt: number;
  /** Milliseconds. */
  uptime: number;
  store: { name: string; durability: Durability };
  /** The team whose inbox it is, where its Redis has several. */
  space?: string;
  /** The other hubs over the same store; left out where there can be none. */
  peers?: HubPeer[];
  /** Sessions that are pending, calls that wait for one, desks that watch. */
  pending: number;
  waiting: number;
  watching: number;
  /** Of those that wait: calls whose client looks for the next hub when this one is stopped. The others, over HTTP, end with it. */
  reconnecting?: number;
  /** Askers that are connected: agents' servers on stdio and commands, MCP sessions over HTTP with something under way, and calls without a session. */
  askers: number;
  /** How people are called to questions while no surface is open. */
  attention: AttentionMode;
  /** How the webhooks of its config do; a hub of an older version says nothing of them. */
  webhooks?: TargetStatus[];
  /** Whether it serves the web inbox. */
  web: boolean;
  /** Surfaces that are connected, with their person's or device's name; the one that asks is among them. */
  surfaces: Answerer[];
}

export type HubControlOptions = Omit<ConnectHubOptions, "role" | "surface" | "start" | "hubCommand">;

/** The running hub's account of itself. Throws `HUB_UNREACHABLE` when none runs. */
export async function hubStatus(options: HubControlOptions): Promise<HubStatus> {
  const client = await connectHub({ ...options, role: "desk", surface: "cli" });
  try {
    return (await client.control.status()) as unknown as HubStatus;
  } finally {
    client.close();
  }
}

/** Stops the running hub and resolves with what it was when it is gone. Throws `HUB_UNREACHABLE` when none runs. */
export async function hubStop(options: HubControlOptions): Promise<HubStatus> {
  const client = await connectHub({ ...options, role: "desk", surface: "cli" });
  let status: HubStatus;
  try {
    status = (await client.control.status()) as unknown as HubStatus;
    await client.control.stop();
  } finally {
    client.close();
  }
  // Another home's hub leaves no trace here that could be waited for.
  await untilGone(status, options.env ?? process.env);
  return status;
}
