import { renameSync } from "node:fs";
import { type HomeFolders, homeFiles } from "./folders.ts";
import { isPrivate, readJsonFile, refuseForeign, writePrivateFile } from "./private-file.ts";

/** What `hub.json` holds: where the hub of this home is, and the token with which agents may ask. */
export interface HubFile {
  url: string;
  pid: number;
  version: string;
  /** Names one run of a hub. */
  instance: string;
  askerToken: string;
  /** With it the hub proves which one it is; it opens nothing. Of no client but those that can read this file. */
  proofKey?: string;
  /** Of a hub that speaks TLS: the SHA-256 of its certificate, as Node writes it, by which its own clients know it. */
  fingerprint?: string;
}

/** What `desk.json` holds: the token with which people answer. */
export interface DeskFile {
  deskToken: string;
}

/**
 * The running hub's own account of itself; undefined if none runs. It may be stale: check before a token is shown.
 * Throws `FORBIDDEN` if another user could have written it.
 */
export function readHubFile(folders: HomeFolders): HubFile | undefined {
  return hubFileFrom(homeFiles(folders).hub);
}

/** As `readHubFile`, or of the last hub that ran. */
export function readLastHubFile(folders: HomeFolders): HubFile | undefined {
  const files = homeFiles(folders);
  return hubFileFrom(files.hub) ?? hubFileFrom(files.lastHub);
}

export function writeHubFile(folders: HomeFolders, hub: HubFile): void {
  writePrivateFile(homeFiles(folders).hub, `${JSON.stringify(hub, undefined, 2)}\n`);
}

/** Takes the hub out of sight when it stops; its port and token stay for the next one. Leaves the file as it is if another hub has started since. */
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

/** What stays the same from one hub of a home to the next. */
export interface HomeTokens {
  askerToken: string;
  deskToken: string;
  /** See `HubFile`. */
  proofKey: string;
}

/**
 * The tokens of this home: the ones that its files hold, so that clients of an earlier hub can reconnect, or new ones when there are none
 * or others could have read them. `desk.json` is written when it is new.
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

/** Takes the desk token of the space that this home's hub belongs to, in place of its own. */
export function adoptDeskToken(folders: HomeFolders, deskToken: string): void {
  if (readDeskFile(folders)?.deskToken !== deskToken) writeDeskFile(folders, deskToken);
}

function writeDeskFile(folders: HomeFolders, deskToken: string): void {
  writePrivateFile(homeFiles(folders).desk, `${JSON.stringify({ deskToken }, undefined, 2)}\n`);
}

function hubFileFrom(path: string): HubFile | undefined {
  refuseForeign(path);
  const { url, pid, version, instance, askerToken, proofKey, fingerprint } = readJsonFile(path) ?? {};
  if (typeof url !== "string" || typeof askerToken !== "string" || askerToken === "") return undefined;
  if (typeof pid !== "number" || typeof version !== "string" || typeof instance !== "string") return undefined;
  return {
    ...{ url, pid, version, instance, askerToken },
    ...(typeof proofKey === "string" && proofKey !== "" && { proofKey }),
    ...(typeof fingerprint === "string" && { fingerprint }),
  };
}
