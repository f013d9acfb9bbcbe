import type { ChatStatus } from "@askbox/chat";
import type { Answerer } from "@askbox/core";
import type { Durability } from "@askbox/core/stores";
import { type ConnectHubOptions, connectHub, untilGone } from "@askbox/home";
import type { AttentionMode, PushStatus, TargetStatus } from "@askbox/notify";
import type { HubPeer } from "./space.ts";

/** The status a hub reports. */
export interface HubStatus {
  version: string;
  instance: string;
  pid: number;
  url: string;
  /** The path of the socket at which it also listens; absent if it does not, and from an older hub. */
  socket?: string;
  /** Started by a person in a terminal, or by a service manager; otherwise by a client. */
  foreground: boolean;
  /** The hub's wall time, ms since the epoch. */
  now: number;
  /** Wall time, ms since the epoch. */
  startedAt: number;
  /** Milliseconds. */
  uptime: number;
  store: { name: string; durability: Durability };
  /** The team that owns the inbox, if its Redis has several. */
  space?: string;
  /** The other hubs over the same store; omitted if there can be none. */
  peers?: HubPeer[];
  /** Pending sessions, waiting calls, and watching desks. */
  pending: number;
  waiting: number;
  watching: number;
  /** Waiting calls whose client reconnects to the next hub when this one is stopped. The others, over HTTP, end with it. */
  reconnecting?: number;
  /**
   * Connected askers: agents' stdio servers and commands, MCP sessions over HTTP with requests in progress, and calls without a session.
   */
  askers: number;
  /** How people are notified while no surface is open. */
  attention: AttentionMode;
  /** The state of the configured webhooks; absent from an older hub. */
  webhooks?: TargetStatus[];
  /** The state of the pushes to browsers; absent from an older hub. */
  push?: PushStatus;
  /** The chats in which people are asked; absent from an older hub. */
  chats?: ChatStatus[];
  /** Whether it serves the web inbox. */
  web: boolean;
  /** Connected surfaces, with their person's or device's name, including the one that asks. */
  surfaces: Answerer[];
}

type HubControlOptions = Omit<ConnectHubOptions, "role" | "surface" | "start" | "hubCommand">;

/** The running hub's status. Throws `HUB_UNREACHABLE` if none is running. */
export async function hubStatus(options: HubControlOptions): Promise<HubStatus> {
  const client = await connectHub({ ...options, role: "desk", surface: "cli" });
  try {
    return (await client.control.status()) as unknown as HubStatus;
  } finally {
    client.close();
  }
}

/** Stops the running hub; once it has exited, resolves with its last status. Throws `HUB_UNREACHABLE` if none is running. */
export async function hubStop(options: HubControlOptions): Promise<HubStatus> {
  const client = await connectHub({ ...options, role: "desk", surface: "cli" });
  let status: HubStatus;
  try {
    status = (await client.control.status()) as unknown as HubStatus;
    await client.control.stop();
  } finally {
    client.close();
  }
  // Another home's hub leaves nothing here to wait for.
  await untilGone(status, options.env ?? process.env);
  return status;
}
