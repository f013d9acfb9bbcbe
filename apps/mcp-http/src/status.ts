import { setTimeout as pause } from "node:timers/promises";
import type { Answerer, Durability } from "@askbox/core";
import { type ConnectHubOptions, checkHealth, connectHub, homeFolders, readHubFile } from "@askbox/home";

/** What a hub tells of itself. */
export interface HubStatus {
  version: string;
  instance: string;
  pid: number;
  url: string;
  /** Wall time, ms since the epoch. */
  startedAt: number;
  /** Milliseconds. */
  uptime: number;
  store: { name: string; durability: Durability };
  /** Sessions that are pending, calls that wait for one, desks that watch. */
  pending: number;
  waiting: number;
  watching: number;
  /** Askers that are connected. */
  askers: number;
  /** Surfaces that are connected; the one that asks is among them. */
  surfaces: Answerer[];
}

export type HubControlOptions = Omit<ConnectHubOptions, "role" | "surface" | "start" | "hubCommand">;

/** How long a hub that was told to stop may take, in ms: its own 5 s, and a little for a busy machine. */
const stopDeadline = 8_000;

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
  const folders = homeFolders(options);
  const deadline = performance.now() + stopDeadline;
  while (performance.now() < deadline) {
    const hub = readHubFile(folders);
    if (hub?.instance !== status.instance || (await checkHealth(hub)) === "silent") break;
    await pause(20);
  }
  return status;
}
