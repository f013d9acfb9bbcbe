import { createServer } from "node:net";
import { openLedger, planMove, type WrittenAddress, writtenAddresses } from "@askbox/clients";
import { isAskboxError, toAskboxError } from "@askbox/core";
import {
  type Config,
  checkHealth,
  forgetWantedPort,
  type HomeFiles,
  type HomeFolders,
  isOlder,
  type JoinedHub,
  olderHubError,
  probeHub,
  readHubFile,
  readJoinedFile,
  readLastHubFile,
  requestHub,
} from "@askbox/home";
import { type HubStatus, hubStatus } from "@askbox/hub-process";
import { shortDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { pushLine, webhookLine } from "../text/webhook-line.ts";
import { type Finding, fail, found, ok, type Surroundings, warn } from "./finding.ts";

/*
 * Whether this home's hub runs, responds and fits this command, and whether the clients' files lead to it. Starts no hub; only `--fix` writes,
 * and only addresses where no hub answers.
 */

/** Milliseconds. Clocks that are synchronised, or on one machine, never differ by more. */
const allowedSkew = 5_000;

/** The hub: whether it runs and responds, its version, durability, port and clock. Does not start one. */
export function checkHub(folders: HomeFolders, config: Config | undefined, around: Surroundings): Promise<Finding[]> {
  const { env, hubUrl, tokenFile, version, now } = around;
  return found("hub", async () => {
    const isOwn = hubUrl === undefined && !env["ASKBOX_HUB"];
    const joined = isOwn ? readJoinedFile(folders) : undefined;
    if (joined !== undefined) return checkWays(joined);
    const own = isOwn ? readHubFile(folders) : undefined;
    if (isOwn && own === undefined) {
      return [ok("hub", "No hub is running; the next question starts one."), ...(await checkPort(config))];
    }
    const verdict = own === undefined ? "ours" : await checkHealth(own);
    if (own !== undefined && verdict === "older") return [warn("hub", olderHubError(own).message)];
    if (own !== undefined && verdict !== "ours") {
      const who = verdict === "stranger" ? "something else answers there" : "nothing answers there";
      return [
        warn("hub", `hub.json names ${terminalLine(own.url)}, and ${who}; the next question starts a hub.`),
        ...(await checkPort(config)),
      ];
    }
    const before = now();
    const status = await hubStatus({ agent: { name: "askbox doctor", version }, env, hubUrl, tokenFile, timeout: 0 });
    return [
      ...versionOf(status, version),
      durabilityOf(status),
      ...webhooksOf(status),
      portOf(status, config),
      ...clockOf(status, (before + now()) / 2),
    ];
  });
}

/** The hub of another machine, which this one has joined: which ways lead there, in the order in which they are tried, and its token. */
async function checkWays(joined: JoinedHub): Promise<Finding[]> {
  const { url, also = [], fingerprint, token } = joined;
  const name = terminalLine(joined.name);
  const ways = await Promise.all(
    [url, ...also].map(async (way) => ({
      way,
      error: await probeHub(way, { fingerprint, timeout: wayTimeout }).then(() => undefined, toAskboxError),
    })),
  );
  const used = ways.find(({ error }) => error === undefined)?.way;
  const said = ways.map(({ way, error }) => {
    if (error !== undefined) return (used === undefined ? fail : warn)("way", terminalLine(error.message));
    return ok("way", `${terminalLine(way)} leads to the hub${way === used ? ", and is used" : ""}.`);
  });
  if (used === undefined) return said;
  // A token of this scope may not do that, and one that was revoked is not known.
  const refusal = await requestHub({ url: used, token, fingerprint }, { method: "GET", path: "/api/tokens" }).catch(toAskboxError);
  const isKnown = !isAskboxError(refusal, "UNAUTHORIZED");
  const what = joined.scope === "desk" ? "answers" : "asks";
  return [
    ...said,
    isKnown
      ? ok("hub", `This machine has joined the hub as ${name}, and ${what} there.`)
      : fail("hub", `The hub doesn't know ${name} any more: it was removed there. \`askbox join --leave\`, and join again.`),
  ];
}

const wayTimeout = 5_000;

function versionOf(status: HubStatus, version: string): Finding[] {
  const where = `askbox ${terminalLine(status.version)} at ${terminalLine(status.url)}, pid ${status.pid}, up ${shortDuration(status.uptime)}`;
  const load = `${status.pending} pending, ${status.waiting} waiting`;
  if (isOlder(status.version, version))
    return [warn("hub", `${where}: older than this command; run \`askbox hub stop\` so that a newer one starts.`)];
  if (isOlder(version, status.version)) return [warn("hub", `${where}: newer than this command (${version}); update it.`)];
  return [ok("hub", `${where}; ${load}.`)];
}

function durabilityOf({ store }: HubStatus): Finding {
  const text = `The hub's store, ${terminalLine(store.name)}: ${terminalLine(store.durability.description)}`;
  return store.durability.level === "disk" || store.durability.level === "replicated" ? ok("durability", text) : warn("durability", text);
}

function webhooksOf(status: HubStatus): Finding[] {
  const { webhooks = [], push } = status;
  const line = pushLine(status);
  return [
    ...webhooks.map((target) => (target.trouble === undefined ? ok : warn)("webhook", `${webhookLine(target)}.`)),
    ...(line === undefined ? [] : [(push?.trouble === undefined ? ok : warn)("push", `Push to ${line}.`)]),
  ];
}

function portOf({ url, socket }: HubStatus, config: Config | undefined): Finding {
  const port = new URL(url).port;
  if (config?.port && String(config.port) !== port) {
    return warn("port", `The hub uses port ${port}, but ${config.port} is configured; run \`askbox hub stop\`, and the next hub uses it.`);
  }
  const also = socket === undefined ? "" : `, and at the socket ${terminalLine(socket)}`;
  return ok("port", `The hub listens on ${terminalLine(url)}${also}.`);
}

/** A configured port must be free for the hub that will use it. */
async function checkPort(config: Config | undefined): Promise<Finding[]> {
  const { port = 0, host = "127.0.0.1" } = config ?? {};
  if (port === 0) return [ok("port", "The hub uses its last port, or any free one.")];
  const problem = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host }, () => server.close(() => resolve(undefined)));
  });
  if (problem === undefined) return [ok("port", `Port ${port} is free.`)];
  return [
    fail("port", `Port ${port} can't be used (${problem}); stop the program that uses it, or configure another: askbox config set port N.`),
  ];
}

function clockOf(status: HubStatus, now: number): Finding[] {
  const skew = status.now - now;
  const moved = status.now - (status.startedAt + status.uptime);
  const findings: Finding[] = [];
  if (Math.abs(skew) > allowedSkew) {
    findings.push(
      warn(
        "clock",
        `The hub's clock is ${shortDuration(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} this machine's; synchronise both with NTP.`,
      ),
    );
  }
  if (Math.abs(moved) > allowedSkew) {
    const way = moved > 0 ? "forward" : "back";
    findings.push(
      warn(
        "clock",
        `The hub's clock was moved ${shortDuration(Math.abs(moved))} ${way} since it started, or the machine slept; deadlines are not affected.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok("clock", "The hub's clock agrees with this machine's.")];
}

/**
 * Whether the addresses in the clients' files still lead to a hub: a hub whose port was taken comes up at another. With `fix`, they are
 * replaced by the address of this home's hub.
 */
export function checkAddresses(
  folders: HomeFolders,
  files: HomeFiles,
  { env, hubUrl, fix = false }: Surroundings & { fix?: boolean | undefined },
): Promise<Finding[]> {
  return found("addresses", async () => {
    const written = writtenAddresses(openLedger(files));
    const own = hubUrl === undefined && !env["ASKBOX_HUB"] ? readLastHubFile(folders) : undefined;
    if (written.length === 0 || own === undefined) return [];
    const hub = new URL(own.url).origin;
    const states = await Promise.all(written.map(async (one) => ({ one, isWell: one.origin === hub || (await answers(one)) })));
    const stale = states.filter(({ isWell }) => !isWell).map(({ one }) => one);
    if (stale.length === 0) return [ok("addresses", "The addresses in the clients' files lead to a hub.")];
    return stale.map((one) => (fix ? fixed(folders, files, one, hub) : fail("addresses", sentence(one, hub))));
  });
}

/** Another home's hub may be there on purpose. */
async function answers({ origin }: WrittenAddress): Promise<boolean> {
  try {
    await probeHub(origin);
    return true;
  } catch {
    return false;
  }
}

const sentence = ({ path, origin }: WrittenAddress, hub: string): string =>
  `${terminalLine(path)} names ${terminalLine(origin)}, where no hub answers; this home's hub is at ${terminalLine(hub)}. Run: askbox doctor --fix`;

function fixed(folders: HomeFolders, files: HomeFiles, one: WrittenAddress, hub: string): Finding {
  planMove(openLedger(files), one, hub).carryOut();
  // The next hub would otherwise go back to the port that the file no longer names.
  forgetWantedPort(folders);
  return ok(
    "addresses",
    `${terminalLine(one.path)} names ${terminalLine(hub)} now, instead of ${terminalLine(one.origin)}; restart the client.`,
  );
}
