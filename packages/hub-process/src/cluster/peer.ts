import type { Peer } from "@askbox/core/transport";

/** Another hub over the same store, as `hub status` shows it. */
export interface HubPeer {
  instance: string;
  url?: string;
  version?: string;
  pid?: number;
  /** How far its clock is ahead, in ms. */
  clockAhead: number;
}

export function peerOf({ id, about, clockAhead }: Peer): HubPeer {
  const { instance = id, url, version, pid } = about;
  return { instance, url, version, ...(pid !== undefined && { pid: Number(pid) }), clockAhead };
}
