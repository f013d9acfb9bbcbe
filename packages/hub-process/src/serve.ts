// The hub of a home, from its settings to its end. In this order:
//
// 1. What a person must fix is read first, so that nothing is opened in vain: secrets of webhooks, the certificate.
// 2. What the home keeps is opened: the store, the files of answers, tokens, and a broker over them (`openInbox`). A store that cannot be
//    opened, or is newer, ends the start; a space that has lost its data is only said, and shown as not durable.
// 3. The hub is created over it, with what this home mounts.
// 4. It listens, at the last port if that is free, and the log, metrics, notifications and chats follow the inbox (`followInbox`).
// 5. `hub.json` is written. From now on programs find the hub; a renewed certificate is written there as well.
// 6. The end: `hub.json` is retired first, so that nobody finds a hub that is closing. Whatever fails in 4 or 5 ends here, too.

import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { Denials, withdrawLost } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients/hooks";
import { type Clock, createBroker, type Log, type Platform, type SharedState } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { type Durability, keptRan } from "@askbox/core/stores";
import { defaultFileLimits, hubFiles } from "@askbox/files";
import {
  adoptDeskToken,
  ensureTokens,
  type HomeFiles,
  type HomeFolders,
  healthProof,
  hubIdentity,
  projectFolder,
  readLastHubFile,
  retireHubFile,
  writeHubFile,
} from "@askbox/home";
import {
  createHub,
  createToken,
  hashToken,
  nodePlatform,
  pendingLedger,
  sharedAgents,
  sharedGrants,
  tokenList,
  tokenVerifier,
} from "@askbox/hub";
import { mountMcp } from "@askbox/mcp-http";
import { webhookTargets } from "@askbox/notify";
import { markOverruled, mountApprovals } from "./approvals/mount-approvals.ts";
import { commandAdvice } from "./command-advice.ts";
import { eventWebhooks } from "./event-webhooks.ts";
import { attentionMode, followChat, type HubNotifyOptions, questionLog, startHubNotify } from "./followers.ts";
import { agentsFile, deviceFile, grantsFile, tokenFile } from "./list-files.ts";
import { listenAt, listenInFiles } from "./listen.ts";
import { filesSize, type HubMetrics, hubMetrics } from "./metrics/hub-metrics.ts";
import { mountMetrics } from "./metrics/mount-metrics.ts";
import { openStore, openValues } from "./open-store.ts";
import { mountPush, pushKey } from "./push/mount-push.ts";
import { registerClients } from "./register-clients.ts";
import type { HubSettings } from "./settings.ts";
import { lostSpace, oneHub, peerOf, spaceTokens } from "./space.ts";
import type { HubStatus } from "./status.ts";
import { followTls, type HubTls, readTls } from "./tls.ts";
import { startWaking } from "./waking/start-waking.ts";
import type { Waking } from "./waking/waking.ts";

interface ServeOptions {
  folders: HomeFolders;
  files: HomeFiles;
  settings: HubSettings;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of the built web inbox, where there is one. */
  web: string | undefined;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  /** Started by a person in a terminal. */
  foreground: boolean;
  log: Log;
  /** A client asked the hub to stop. */
  onStop(): void;
}

/** The running hub of this home. */
export interface ServedHub {
  url: string;
  instance: string;
  isBusy(): Promise<boolean>;
  visits(): number;
  /** Removes the hub's entry and closes it within 5 s. Sessions and tokens are kept. */
  close(reason: string): Promise<void>;
}

/** Creates store, broker and server, and writes `hub.json` when they are ready. The caller holds the lock. */
export async function serveHome(options: ServeOptions): Promise<ServedHub> {
  const { folders, files, settings, version, env, foreground, web, askboxCommand, log, onStop } = options;
  const { config } = settings;
  const platform = nodePlatform();
  const { clock } = platform;
  const instance = platform.ids.session();
  const startedAt = clock.now();
  const began = clock.monotonic();

  // 1. What a person must fix, before anything is opened: a secret or a certificate that cannot be read.
  const targets = webhookTargets(config.webhooks, folders.config);
  const former = readLastHubFile(folders);
  const tls = settings.tls && readTls(settings.tls);

  // 2. What this home keeps. The metrics are made first, since the store is timed; they ask for the rest when they are read.
  const metrics = hubMetrics({
    clock,
    async now() {
      const isReady = await readiness().then(
        () => true,
        () => false,
      );
      const { webhooks, push, chats } = followers?.status() ?? { webhooks: [], chats: [] };
      return {
        stats: broker.stats(),
        surfaces: hub.connections.desks,
        isReady,
        waiting: waitingIn([...webhooks, ...(push === undefined ? [] : [{ ...push, kind: "push" }])]),
        files: { stored: await inbox.filesSize(), max: config.limits.allFileBytes ?? defaultFileLimits.total },
        chats: chats.map(({ name, isRead, trouble }) => ({ chat: name, isConnected: isRead && trouble === undefined })),
      };
    },
  });
  let url: string | undefined;
  let socket: string | undefined;
  const about = () => ({ instance, version, pid: String(process.pid), ...(url !== undefined && { url }) });
  const inbox = await openInbox(options, platform, metrics, about);
  const { broker, store, shared, attachments } = inbox;
  const readiness = async () => {
    await store.check?.();
    return { store: inbox.durability() };
  };
  let followers: Awaited<ReturnType<typeof followInbox>> | undefined;

  // 3. The hub over it, with the services of this home: MCP, files, metrics, notifications of browsers, approvals of clients.
  const { askerToken, deskToken, proofKey } = inbox.tokens;
  const push = mountPush({ key: pushKey(files.pushKey, shared), log });
  const events =
    config.mcpEvents === "webhook"
      ? eventWebhooks(options, { ...inbox, platform, instance, wasRevoked: (owner) => hub.wasRevoked(owner) })
      : undefined;
  /** Agents that are connected over HTTP. */
  let httpAgents = 0;
  let joiningJobs: ReturnType<typeof import("./job-tokens.ts").jobTokens> | undefined;
  const status = (): HubStatus => {
    const { askers, waits, desks } = hub.connections;
    const stats = broker.stats();
    return {
      version,
      instance,
      pid: process.pid,
      url: hub.url,
      ...(socket !== undefined && { socket }),
      foreground,
      now: clock.now(),
      startedAt,
      uptime: Math.round(clock.monotonic() - began),
      store: { name: inbox.name, durability: inbox.durability() },
      ...(config.space !== undefined && { space: config.space }),
      ...(shared !== undefined && { peers: broker.peers().map(peerOf) }),
      ...stats,
      watching: stats.watching - (followers?.watches() ?? 0),
      reconnecting: Math.min(waits, stats.waiting),
      attention: attentionMode(config, env),
      ...(followers?.status() ?? { webhooks: [], chats: [] }),
      web: web !== undefined,
      askers: askers + httpAgents,
      surfaces: desks.map((desk) => ({ ...desk })),
    };
  };
  const hub = createHub({
    broker,
    advice: commandAdvice,
    locked: "askbox open",
    platform,
    version,
    instance,
    log,
    tokens: tokenVerifier([
      { hash: hashToken(askerToken), access: { owner: "local", scopes: ["asker"] } },
      { hash: hashToken(deskToken), access: { owner: "local-desk", scopes: ["desk"] } },
    ]),
    identity: hubIdentity(proofKey),
    prove: (nonce) => healthProof(proofKey, nonce, instance),
    allowedHosts: config.hosts,
    limits: config.limits,
    defaultTimeout: config.timeout,
    readiness,
    onRefused: metrics.refused,
    joinByToken: async (token) => {
      joiningJobs ??= (await import("./job-tokens.ts")).jobTokens({ jobs: config.jobs, clock, log, isNew: onceEach(clock, shared) });
      return joiningJobs(token);
    },
    cluster: shared && { shared, name: config.space ?? "team" },
    devices: deviceFile(files.devices),
    tokenStore: tokenList(tokenFile(files.tokens, log)),
    mounts: [
      attachments.mount,
      mountMcp({
        version,
        defaultTimeout: config.timeout,
        onCallEnd: metrics.callEnded,
        onRefused: metrics.refused,
        openKept: inbox.openKept,
        files: {
          picture: (sessionId, { sha256 }) => attachments.picture(sessionId, sha256),
        },
        events: events === undefined ? config.mcpEvents !== "off" : events.subscriptions,
        log,
        onAgents(count) {
          httpAgents = count;
        },
      }),
      mountMetrics(metrics),
      push.mount,
      inbox.waking.doors.mount,
      mountApprovals({
        sources: approvalSources,
        denials: inbox.denials,
        hold: config.holdDenials,
        isWatched: () => hub.connections.desks.length > 0,
        // Hubs that share an inbox serve agents on other machines.
        folder: shared === undefined ? projectFolder : undefined,
        log,
      }),
    ],
    web,
    tls,
    pending: inbox.pending,
    control: {
      status: async () => JSON.parse(JSON.stringify(status())),
      called: metrics.callEnded,
      async stop() {
        // Deferred, so that the caller gets its reply first.
        setImmediate(onStop);
      },
    },
  });

  // 6. The end, also of a start that failed: what follows the inbox first, then the hub, then what this home keeps.
  const endings: (() => Promise<void> | void)[] = [inbox.stopWithdrawing];
  const shut = async (reason: string) => {
    for (const end of endings) await end();
    await hub.close(reason);
    await inbox.close();
  };

  try {
    // 4. It listens, and the log, metrics, notifications and chats begin to follow the inbox.
    // A port that was taken is tried again: it may only have been taken for a while.
    const lastPorts = [former?.wantedPort, portOf(former?.url)].filter((port) => port !== undefined);
    url = await listenAt(hub, { host: config.host, port: config.port, lastPorts });
    socket = await listenInFiles(hub, { socket: config.socket, own: files.socket, log });
    followers = await followInbox(options, inbox, { platform, hub, push, targets, metrics, instance });
    endings.push(followers.close);
    if (events !== undefined) endings.push(events.follow());
    await inbox.waking.start().catch((error: unknown) => log("warn", "No agent is woken", { error: String(error) }));
    await registerClients({ config, folders, files, env, askboxCommand, log });

    // 5. It is announced: programs find it by `hub.json`, and their clients have been told how to start it.
    const [wantedPort] = lastPorts;
    const isMoved = config.port === undefined && wantedPort !== undefined && wantedPort !== portOf(url);
    const entry = { url, pid: process.pid, version, instance, askerToken, proofKey, ...(isMoved && { wantedPort }) };
    writeHubFile(folders, { ...entry, ...(tls && { fingerprint: tls.fingerprint }) });
    if (settings.tls !== undefined) {
      const onRenewed = (renewed: HubTls) => {
        hub.renewTls(renewed);
        writeHubFile(folders, { ...entry, fingerprint: renewed.fingerprint });
      };
      endings.push(followTls(settings.tls, { log, onRenewed }));
    }
    return {
      url,
      instance,
      async isBusy() {
        const { askers, desks, requests } = hub.connections;
        if (askers > 0 || desks.length > 0 || requests > 0) return true;
        if (broker.stats().pending > inbox.denials.open || inbox.waking.isBusy || events?.isBusy) return true;
        // A prepared agent may connect by URL, which does not start a hub.
        return (await broker.agents.list()).length > 0;
      },
      visits: () => hub.connections.accepted,
      async close(reason) {
        retireHubFile(folders, instance);
        await shut(reason);
      },
    };
  } catch (error) {
    await shut("The hub could not start.");
    throw error;
  }
}

/** Opens what this home keeps, with a broker over it. `about` describes this hub to the others. */
async function openInbox(
  { folders, files, settings: { config }, version, env, log }: ServeOptions,
  platform: Platform,
  metrics: HubMetrics,
  about: () => Record<string, string>,
) {
  const { clock } = platform;
  const opened = await openStore(config.store, { ...files, kept: files.mcpSessions, space: config.space, log, meter: metrics.redis });
  const { shared, blobs } = opened;
  const store = metrics.timed(opened.store);
  const { fileBytes, sessionFileBytes, allFileBytes, fileBytesPerToken } = config.limits;
  const keep = config.ran;
  // What was kept before it was turned off.
  if (keep === null) for (const end of ["", "-wal", "-shm"]) rmSync(`${files.ran}${end}`, { force: true });
  const ranValues = keep === null ? undefined : await openValues(config.store, { path: files.ran, shared, clock });
  const attachments = hubFiles({
    blobs,
    store,
    clock,
    log,
    limits: { file: fileBytes, session: sessionFileBytes, total: allFileBytes, token: fileBytesPerToken },
  });
  const own = ensureTokens(folders, createToken);
  const lost = shared && (await lostSpace(shared, folders, `${opened.name} ${config.space ?? ""}`.trim()));
  if (lost !== undefined) log("error", lost);
  const tokens = shared === undefined ? own : await spaceTokens(shared, own);
  const durability = (): Durability => {
    const { level, description } = store.durability;
    return lost === undefined ? { level, description } : { level: "none", description: `${lost} ${description}` };
  };
  adoptDeskToken(folders, tokens.deskToken);
  const { promise: started, resolve: onStarted } = Promise.withResolvers<Waking>();
  let waking: Waking | undefined;
  const broker = await createBroker({
    ...platform,
    store,
    hubs: shared && severalHubs(shared),
    log,
    about,
    files: attachments.check,
    images: attachments.images,
    retention: config.retention,
    agents: shared === undefined ? agentsFile(files.agents) : sharedAgents(shared),
    grants: shared === undefined ? grantsFile(files.grants) : sharedGrants(shared),
    ran: ranValues && keep !== null ? keptRan(ranValues, { now: () => clock.now(), keep }) : undefined,
    realPath: (path) => realpath(path).catch(() => undefined),
    clientForms: config.allowClientForms,
    waker: {
      outlook: async (session) => (await started).outlook(session),
      wake: async (session) => (await started).wake(session),
      output: (id) => waking?.output(id),
    },
    onSettled: metrics.settled,
  });
  const stopWithdrawing = await withdrawLost({ store, broker, clock, isShared: shared !== undefined, log });
  const denials = new Denials({ store, broker, platform, log, onAllowed: (isAny) => markOverruled(files.overruled, isAny) });
  waking = startWaking({ store, broker, clock, log, config, env, version, folder: files.wakes });
  onStarted(waking);
  const pending = await pendingLedger(store);
  const close = async () => {
    denials.close();
    await waking.close();
    await broker.close();
    pending.close();
    attachments.close();
    await ranValues?.close();
    await opened.close();
  };
  return {
    ...opened,
    filesSize: filesSize(blobs, clock),
    store,
    durability,
    attachments,
    tokens,
    broker,
    denials,
    waking,
    pending,
    stopWithdrawing,
    close,
  };
}

type FollowOptions = Pick<HubNotifyOptions, "platform" | "hub" | "push" | "targets"> & { metrics: HubMetrics; instance: string };

/** Lets the log, the metrics, notifications and chats follow the inbox of a hub that listens. */
async function followInbox(
  { files, settings: { config }, env, askboxCommand, web, log }: ServeOptions,
  { broker, shared, attachments }: Awaited<ReturnType<typeof openInbox>>,
  { platform, hub, push, targets, metrics, instance }: FollowOptions,
) {
  const logQuestion = questionLog(log, { hasPage: web !== undefined });
  const watch = await broker.desk({ surface: "api" }).watch({ presence: true }, (event) => {
    logQuestion(event);
    metrics.onEvent(event);
  });
  const claim = oneHub(shared, instance);
  const meter = metrics.delivered;
  const notify = await startHubNotify({
    broker,
    hub,
    config,
    files,
    targets,
    push,
    env,
    askboxCommand,
    platform,
    log,
    meter,
    shared,
    claim,
  });
  const chat = await followChat({
    file: files.chat,
    desk: broker.desk({ surface: "api" }),
    clock: platform.clock,
    log,
    meter,
    shared,
    instance,
    deskOf: (surface, name) => broker.desk({ surface, name }),
    files: { most: config.limits.fileBytes ?? defaultFileLimits.file, put: attachments.put },
    rules: { quietHours: config.quietHours, rules: config.attentionFor },
    denialDigest: config.denialDigest,
    undo: config.undo * 1_000,
  });
  return {
    /** How many of the inbox's watchers are the hub's own. */
    watches: () => (notify.isWatching ? 2 : 1) + chat.status().filter(({ isRead }) => isRead).length,
    status: () => ({ webhooks: notify.status(), ...(notify.push && { push: notify.push.status() }), chats: chat.status() }),
    async close() {
      for (const { close } of [watch, notify, chat]) await close();
    },
  };
}

/** How many deliveries wait, by channel: there may be several targets of a kind. */
function waitingIn(statuses: readonly { kind: string; waiting: number }[]): { channel: string; count: number }[] {
  const kinds = Map.groupBy(statuses, ({ kind }) => kind);
  return [...kinds].map(([channel, of]) => ({ channel, count: of.reduce((sum, { waiting }) => sum + waiting, 0) }));
}

function portOf(url: string | undefined): number | undefined {
  const port = url !== undefined && URL.canParse(url) ? Number(new URL(url).port) : 0;
  return port > 0 ? port : undefined;
}

/** Whether something comes for the first time, at this hub or another of the same inbox, until it can't come any more. */
function onceEach(clock: Clock, shared: SharedState | undefined): (digest: string, until: number) => Promise<boolean> {
  const seen = new Map<string, number>();
  return async (digest, until) => {
    if (shared !== undefined) return shared.swap(`job:${digest}`, undefined, "1", Math.max(1, until - clock.now()));
    for (const [each, end] of seen) if (end < clock.now()) seen.delete(each);
    if (seen.has(digest)) return false;
    seen.set(digest, until);
    return true;
  };
}
