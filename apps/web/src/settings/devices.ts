import { storedSecret } from "../boot/login.ts";

/** A browser that is logged in. Times are wall time in ms since the epoch. */
export interface Device {
  id: string;
  name: string;
  createdAt: number;
  lastSeenAt: number;
  /** Whether it is this one. */
  current: boolean;
}

/** The hub's answer when it will not do what was asked of it; the message is a sentence for the person. */
export class DevicesError extends Error {}

async function call(method: "GET" | "POST" | "DELETE", path: string): Promise<Response> {
  const response = await fetch(path, { method, headers: { authorization: `Bearer ${storedSecret() ?? ""}` } });
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const detail = typeof problem === "object" && problem !== null && "detail" in problem ? problem.detail : undefined;
  throw new DevicesError(typeof detail === "string" ? detail : `${response.status} ${response.statusText}`.trim());
}

export async function listDevices(): Promise<Device[]> {
  const { items } = (await (await call("GET", "/auth/devices")).json()) as { items: Device[] };
  return items;
}

/** Logs a device out for good. */
export async function revokeDevice(id: string): Promise<void> {
  await call("DELETE", `/auth/devices/${encodeURIComponent(id)}`);
}

/** Logs this browser out. */
export async function logOut(): Promise<void> {
  await call("POST", "/auth/logout");
}
