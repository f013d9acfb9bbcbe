import { existsSync, renameSync, rmSync } from "node:fs";
import { type HomeFolders, homeFiles } from "./folders.ts";
import { isPrivate, readJsonFile, refuseForeign, writePrivateFile } from "./private-file.ts";

/** The contents of `hub.json`: the address of this home's hub, and the token with which agents ask. */
export interface HubFile {
  url: string;
  pid: number;
  version: string;
  /** Identifies one run of a hub. */
  instance: string;
  askerToken: string;
  /** The key with which the hub proves its identity; it grants no access. Only for clients that can read this file. */
  proofKey?: string;
  /** For a hub with TLS: the SHA-256 of its certificate, in Node's format, by which its own clients recognize it. */
  fingerprint?: string;
  /** The port that an earlier hub of this home had, and that another program had taken when this one started. */
  wantedPort?: number;
}

/** The contents of `desk.json`: the token with which people answer. */
export interface DeskFile {
  deskToken: string;
}

/**
 * The running hub's entry; undefined if none is running. It may be stale: verify it before sending a token. Throws `FORBIDDEN` if another
 * user could have written it.
 */
export function readHubFile(folders: HomeFolders): HubFile | undefined {
  return hubFileFrom(homeFiles(folders).hub);
}

/** Like `readHubFile`, or the entry of the last hub. */
export function readLastHubFile(folders: HomeFolders): HubFile | undefined {
  const files = homeFiles(folders);
  return hubFileFrom(files.hub) ?? hubFileFrom(files.lastHub);
}

export function writeHubFile(folders: HomeFolders, hub: HubFile): void {
  writePrivateFile(homeFiles(folders).hub, `${JSON.stringify(hub, undefined, 2)}\n`);
}

/** The next hub starts at the port of the last, and no longer at the one that was taken from an earlier hub. */
export function forgetWantedPort(folders: HomeFolders): void {
  const files = homeFiles(folders);
  for (const path of [files.hub, files.lastHub]) {
    const { wantedPort, ...hub } = hubFileFrom(path) ?? {};
    if (wantedPort !== undefined) writePrivateFile(path, `${JSON.stringify(hub, undefined, 2)}\n`);
  }
}

/** Removes the hub's entry when it stops; its port and token are kept for the next one. Does nothing if another hub has started since. */
export function retireHubFile(folders: HomeFolders, instance: string): void {
  const files = homeFiles(folders);
  if (hubFileFrom(files.hub)?.instance === instance) renameSync(files.hub, files.lastHub);
}

export function readDeskFile(folders: HomeFolders): DeskFile | undefined {
  const { desk } = homeFiles(folders);
  refuseForeign(desk);
  const { deskToken } = readJsonFile(desk) ?? {};
  return typeof deskToken === "string" && deskToken !== "" ? { deskToken } : undefined;
}

/** The contents of `joined.json`: the hub of another machine, which this one has joined. */
export interface JoinedHub {
  /** Where it is: an address, or `unix:` and a socket's path. */
  url: string;
  /** Other ways to it, in the order in which they are tried. */
  also?: string[];
  token: string;
  /** This machine's name there. */
  name: string;
  scope: "asker" | "desk";
  /** The SHA-256 of its certificate, if that was part of the invitation. */
  fingerprint?: string;
}

/** Undefined if this machine has joined no hub. Throws `FORBIDDEN` if another user could have written it. */
export function readJoinedFile(folders: HomeFolders): JoinedHub | undefined {
  const { joined } = homeFiles(folders);
  refuseForeign(joined);
  const { url, also, token, name, scope, fingerprint } = readJsonFile(joined) ?? {};
  if (typeof url !== "string" || typeof token !== "string" || token === "" || typeof name !== "string") return undefined;
  return {
    url,
    ...(Array.isArray(also) && { also: also.filter((each) => typeof each === "string").slice(0, 5) }),
    token,
    name,
    scope: scope === "desk" ? "desk" : "asker",
    ...(typeof fingerprint === "string" && { fingerprint }),
  };
}

export function writeJoinedFile(folders: HomeFolders, joined: JoinedHub): void {
  writePrivateFile(homeFiles(folders).joined, `${JSON.stringify(joined, undefined, 2)}\n`);
}

/** Notes that the joined hub can't be reached. Returns whether that is new, so that it is said once per outage. */
export function noteUnreached(folders: HomeFolders): boolean {
  const { unreached } = homeFiles(folders);
  if (existsSync(unreached)) return false;
  try {
    writePrivateFile(unreached, "");
  } catch {
    // Said too often rather than never.
  }
  return true;
}

export function noteReached(folders: HomeFolders): void {
  rmSync(homeFiles(folders).unreached, { force: true });
}

export function removeJoinedFile(folders: HomeFolders): void {
  rmSync(homeFiles(folders).joined, { force: true });
}

/** What stays the same across hubs of a home. */
export interface HomeTokens {
  askerToken: string;
  deskToken: string;
  /** See `HubFile`. */
  proofKey: string;
}

/**
 * The tokens of this home: those in its files, so that clients of an earlier hub can reconnect, or new ones if there are none or others
 * could have read them. Writes `desk.json` if it is new.
 */
export function ensureTokens(folders: HomeFolders, createToken: () => string): HomeTokens {
  const files = homeFiles(folders);
  const trusted = [files.hub, files.lastHub].filter(isPrivate).flatMap((path) => hubFileFrom(path) ?? [])[0];
  const askerToken = trusted?.askerToken ?? createToken();
  const proofKey = trusted?.proofKey ?? createToken();
  const kept = isPrivate(files.desk) ? readDeskFile(folders)?.deskToken : undefined;
  const deskToken = kept ?? createToken();
  if (kept === undefined) writeDeskFile(folders, deskToken);
  return { askerToken, deskToken, proofKey };
}

/** Uses the desk token of the hub's space instead of its own. */
export function adoptDeskToken(folders: HomeFolders, deskToken: string): void {
  if (readDeskFile(folders)?.deskToken !== deskToken) writeDeskFile(folders, deskToken);
}

function writeDeskFile(folders: HomeFolders, deskToken: string): void {
  writePrivateFile(homeFiles(folders).desk, `${JSON.stringify({ deskToken }, undefined, 2)}\n`);
}

function hubFileFrom(path: string): HubFile | undefined {
  refuseForeign(path);
  const { url, pid, version, instance, askerToken, proofKey, fingerprint, wantedPort } = readJsonFile(path) ?? {};
  if (typeof url !== "string" || typeof askerToken !== "string" || askerToken === "") return undefined;
  if (typeof pid !== "number" || typeof version !== "string" || typeof instance !== "string") return undefined;
  return {
    url,
    pid,
    version,
    instance,
    askerToken,
    ...(typeof proofKey === "string" && proofKey !== "" && { proofKey }),
    ...(typeof fingerprint === "string" && { fingerprint }),
    ...(typeof wantedPort === "number" && Number.isInteger(wantedPort) && wantedPort > 0 && wantedPort < 65_536 && { wantedPort }),
  };
}
