import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError, isAskboxError, type Log } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { type HomeFolders, homeFiles, homeFolders } from "../files/folders.ts";
import { takeLock } from "../files/process-lock.ts";
import { type HubFile, type JoinedHub, readDeskFile, readHubFile, readJoinedFile } from "../files/runtime-files.ts";
import { checkHealth, olderHubError } from "./health.ts";
import { probeHub } from "./probe-hub.ts";
import { type StartingHub, startHub } from "./start-hub.ts";

/**
 * Finds the hub that a command needs: the one at a configured address, with a given token; or the one that this machine has joined, by the
 * first way that leads there; or this home's own, which is started if it doesn't run. The lock decides who starts it, and everyone else waits
 * for the winner. The home's own hub must prove that it knows the home's secret before it gets a token. Fails with a sentence if the address
 * is wrong, the hub doesn't start in time, or another program listens there.
 */

/** How long a hub may take to come up. */
const startDeadline = 10_000;

export interface FindHubOptions extends GivenToken {
  /** What the token is for: `asker` asks, `desk` answers. `desk.json` is only read for `desk`. */
  role: "asker" | "desk";
  /** A hub other than this home's (`--hub`, `ASKBOX_HUB`); it is never started. */
  hubUrl?: string | undefined;
  /** Whether to start a hub if none is running; default false. */
  start?: boolean | undefined;
  /** The command line that runs a hub in the background. */
  hubCommand?: readonly string[] | undefined;
  log?: Log | undefined;
  signal?: AbortSignal | undefined;
}

/** A verified hub, which may receive the token. */
export interface FoundHub {
  /** Where it is: `https://box.example:4141`, or `unix:/path/of/a/socket`. */
  url: string;
  token: string;
  /** This home's own hub, which `start` could start; undefined for a configured one. */
  own?: HubFile;
  /** The hub of another machine, which this one has joined: whether the token is this machine's own. */
  joined?: { isOwnToken: boolean };
  /** The certificate to accept; undefined if the system must trust it. */
  fingerprint?: string | undefined;
}

/**
 * Finds the hub, starting this home's own if allowed. The server on the port is verified before it gets a token. Throws `HUB_UNREACHABLE`,
 * `UNAUTHORIZED` (no token, or none that can be sent), `STORE_UNAVAILABLE` (the folder), `ABORTED`, each with advice.
 */
export async function findHub(options: FindHubOptions): Promise<FoundHub> {
  const env = options.env ?? process.env;
  const token = givenToken(options);
  const address = options.hubUrl || env["ASKBOX_HUB"] || undefined;
  if (address !== undefined) return findGiven(address, token, options);
  const joined = readJoinedFile(homeFolders({ env }));
  if (joined !== undefined) return findJoined(joined, token, options);
  const hub = await findOwn(options);
  return { url: hub.url, token: token ?? ownToken(hub, options), own: hub, fingerprint: hub.fingerprint };
}

async function findGiven(address: string, token: string | undefined, options: FindHubOptions): Promise<FoundHub> {
  const url = readAddress(address);
  const own = readHubFile(homeFolders(options));
  if (own !== undefined && URL.canParse(own.url) && new URL(own.url).origin === url) {
    const verdict = await checkHealth(own, options.signal);
    if (verdict === "older") throw olderHubError(own);
    if (verdict !== "ours") throw unreachable(`No askbox hub answers at ${url}; start it, or correct the address.`, { mayPass: true });
    return { url, token: token ?? ownToken(own, options), fingerprint: own.fingerprint };
  }
  if (token === undefined) {
    throw new AskboxError("UNAUTHORIZED", `The hub at ${url} needs a token; give it in ASKBOX_TOKEN or in a file with --token-file.`);
  }
  await probeHub(url, { signal: options.signal });
  return { url, token };
}

/** The hub of another machine, which this one has joined. */
async function findJoined(joined: JoinedHub, token: string | undefined, { role, signal }: FindHubOptions): Promise<FoundHub> {
  const { url, also = [], scope, fingerprint } = joined;
  if (token === undefined && role !== scope) {
    const sentence =
      scope === "asker"
        ? `This machine has joined the hub at ${url} to ask only; answer on the hub's own machine, or in its page.`
        : `This machine has joined the hub at ${url} to answer; give agents here a token of their own with --token-file.`;
    throw new AskboxError("FORBIDDEN", sentence);
  }
  const reached = await firstWay([url, ...also], (way, isLast) =>
    probeHub(way, { fingerprint, signal, ...(!isLast && { timeout: wayTimeout }) }),
  );
  return { url: reached, token: token ?? joined.token, fingerprint, joined: { isOwnToken: token === undefined } };
}

/** What the joined hub says once this machine was removed there. */
export const removedThere = (url: string, cause?: unknown) =>
  new AskboxError("UNAUTHORIZED", `The hub at ${url} doesn't know this machine any more; run \`askbox join --leave\`, and join again.`, {
    cause,
  });

/** Milliseconds that a way has to answer, if there is another one. */
const wayTimeout = 2_000;

/** The first of these addresses that leads to the hub. Throws what the first way met, unless it was cancelled. */
export async function firstWay(ways: readonly string[], probe: (way: string, isLast: boolean) => Promise<void>): Promise<string> {
  let failure: unknown;
  for (const [index, way] of ways.entries()) {
    try {
      await probe(way, index === ways.length - 1);
      return way;
    } catch (error) {
      if (isAskboxError(error, "ABORTED")) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

async function findOwn(options: FindHubOptions): Promise<HubFile> {
  const { start = false, hubCommand, log, signal } = options;
  const env = options.env ?? process.env;
  const folders = homeFolders({ env });
  const deadline = performance.now() + startDeadline;
  let starting: StartingHub | undefined;
  /** A hub that did not respond; it is not probed again until something changes, since each probe may time out. */
  let dismissed: string | undefined;
  try {
    for (;;) {
      if (signal?.aborted) throw new AskboxError("ABORTED", "Looking for a hub was cancelled.");
      const hub = readHubFile(folders);
      if (hub !== undefined && hub.instance !== dismissed) {
        const verdict = await checkHealth(hub, signal);
        if (verdict === "ours") return hub;
        if (verdict === "older" && (await isLocked(folders))) throw olderHubError(hub);
        if (verdict !== "silent") log?.("warn", "Something else answers at the hub's address; it is shown no token.", { url: hub.url });
        dismissed = hub.instance;
      }
      if (!start || hubCommand === undefined) {
        throw unreachable("No askbox hub is running; `askbox hub` starts one, and so does the next question of an agent.");
      }
      const failure = starting?.failure();
      if (failure !== undefined) throw unreachable(`The askbox hub could not be started: ${failure}`);
      if (performance.now() > deadline) {
        throw unreachable(`The askbox hub did not start within ${startDeadline / 1_000} seconds; run \`askbox hub\` to see why.`);
      }
      if (starting?.gaveWay()) {
        starting.release();
        starting = undefined;
        dismissed = undefined;
      } else {
        starting ??= startHub({ folders, env, command: hubCommand });
      }
      // Jitter, so that many clients do not poll in step.
      await pause(15 + Math.random() * 30);
    }
  } finally {
    starting?.release();
  }
}

/** Whether a hub of this home is running: any program that knows the asker token can claim to be an older one. */
async function isLocked(folders: HomeFolders): Promise<boolean> {
  const lock = await takeLock(homeFiles(folders).lock);
  lock?.release();
  return lock === undefined;
}

function ownToken(hub: HubFile, options: FindHubOptions): string {
  if (options.role === "asker") return hub.askerToken;
  const desk = readDeskFile(homeFolders(options));
  if (desk !== undefined) return desk.deskToken;
  throw new AskboxError("UNAUTHORIZED", "desk.json cannot be read; restart the hub with `askbox hub stop`, and it writes it again.");
}

/** The origin of a hub's address, or a socket's whole path after `unix:`. Throws `HUB_UNREACHABLE` for anything else. */
export function readAddress(address: string): string {
  if (/^unix:\/./.test(address)) return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new AskboxError(
      "HUB_UNREACHABLE",
      `${quote(address)} is not a valid hub address; use one such as http://127.0.0.1:4141 or unix:/run/askbox/hub.sock.`,
    );
  }
  return url.origin;
}

const unreachable = (sentence: string, details?: { mayPass: boolean }) => new AskboxError("HUB_UNREACHABLE", sentence, { details });

interface GivenToken {
  env?: Readonly<Record<string, string | undefined>>;
  /** Instead of this home's token (`ASKBOX_TOKEN`). */
  token?: string | undefined;
  /** A file that contains only the token (`--token-file`). */
  tokenFile?: string | undefined;
}

/** What can be sent as a token: in a header, nothing else gets through unchanged. */
const tokenText = /^[!-~]{1,1000}$/;

/**
 * The token that was given for the hub: by the caller, in a file, or in `ASKBOX_TOKEN`. Throws `UNAUTHORIZED` for what cannot be one, since
 * a hub could only refuse it; the error names its place and never a part of it.
 */
export function givenToken({ token, tokenFile, env = process.env }: GivenToken): string | undefined {
  if (token) return checked(token, "The given token");
  if (tokenFile !== undefined) return checked(readTokenFile(tokenFile), `The token file ${tokenFile}`);
  const variable = env["ASKBOX_TOKEN"]?.trim();
  return variable ? checked(variable, "ASKBOX_TOKEN") : undefined;
}

function readTokenFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new AskboxError("UNAUTHORIZED", `The token file ${path} cannot be read; correct --token-file.`, { cause });
  }
  if (text.includes("\0")) throw new AskboxError("UNAUTHORIZED", `The token file ${path} is not UTF-8 text; save the token as UTF-8.`);
  // Also without a byte order mark.
  return text.trim();
}

function checked(text: string, place: string): string {
  if (tokenText.test(text)) return text;
  const fault = text === "" ? "is empty" : "has more than a token";
  throw new AskboxError("UNAUTHORIZED", `${place} ${fault}; put the token there alone, in one line without spaces.`);
}
