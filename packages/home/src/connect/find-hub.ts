import { setTimeout as pause } from "node:timers/promises";
import { AskboxError, type Log } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { type HomeFolders, homeFiles, homeFolders } from "../files/folders.ts";
import { takeLock } from "../files/process-lock.ts";
import { type HubFile, readDeskFile, readHubFile } from "../files/runtime-files.ts";
import { type GivenToken, givenToken } from "./given-token.ts";
import { checkHealth, olderHubError } from "./health.ts";
import { probeHub } from "./probe-hub.ts";
import { type StartingHub, startHub } from "./start-hub.ts";

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
  url: string;
  token: string;
  /** This home's own hub, which `start` could start; undefined for a configured one. */
  own?: HubFile;
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
  const hub = await findOwn(options);
  return { url: hub.url, token: token ?? ownToken(hub, options), own: hub, fingerprint: hub.fingerprint };
}

async function findGiven(address: string, token: string | undefined, options: FindHubOptions): Promise<FoundHub> {
  const url = readAddress(address);
  const own = readHubFile(homeFolders(options));
  if (own !== undefined && URL.canParse(own.url) && new URL(own.url).origin === new URL(url).origin) {
    const verdict = await checkHealth(own, options.signal);
    if (verdict === "older") throw olderHubError(own);
    if (verdict !== "ours")
      throw unreachable(`No askbox hub answers at ${url}; start it, or correct --hub or ASKBOX_HUB.`, { mayPass: true });
    return { url, token: token ?? ownToken(own, options), fingerprint: own.fingerprint };
  }
  if (token === undefined) {
    throw new AskboxError("UNAUTHORIZED", `The hub at ${url} needs a token; give it in ASKBOX_TOKEN or in a file with --token-file.`);
  }
  await probeHub(url, options.signal);
  return { url, token };
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

function readAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new AskboxError("HUB_UNREACHABLE", `${quote(address)} is not a valid hub address; use one such as http://127.0.0.1:4141.`);
  }
  return url.origin;
}

const unreachable = (sentence: string, details?: { mayPass: boolean }) => new AskboxError("HUB_UNREACHABLE", sentence, { details });
