import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { withdrawLost } from "@askbox/approvals";
import { approvalSources } from "@askbox/clients";
import { createBroker, type Log } from "@askbox/core";
import { defaultFileLimits, hubFiles } from "@askbox/files";
import {
  adoptDeskToken,
  ensureTokens,
  type HomeFiles,
  type HomeFolders,
  healthProof,
  hubIdentity,
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
import { type Notify, webhookTargets } from "@askbox/notify";
import { agentsFile } from "./agents-file.ts";
import { mountApprovals } from "./approvals/mount-approvals.ts";

import { followChat, type HubChat } from "./chat.ts";
import { oneHub } from "./cluster/one-hub.ts";
import { peerOf } from "./cluster/peer.ts";
import { spaceTokens } from "./cluster/space-tokens.ts";
import { deviceFile } from "./device-file.ts";
import { grantsFile } from "./grants-file.ts";
import { listenAt } from "./listen.ts";
import { hubMetrics } from "./metrics/hub-metrics.ts";
import { mountMetrics } from "./metrics/mount-metrics.ts";
import { attentionMode, startHubNotify } from "./notify.ts";
import { openStore } from "./open-store.ts";
import { mountPush } from "./push/mount-push.ts";
import { pushKey } from "./push/push-key.ts";
import { questionLog } from "./question-log.ts";
import { registerClients } from "./register-clients.ts";
import type { HubSettings } from "./settings.ts";
import type { HubStatus } from "./status.ts";
import { followTls, type HubTls, readTls } from "./tls.ts";
import { tokenFile } from "./token-file.ts";

export interface ServeOptions {
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
  const attention = attentionMode(config, env);
  // Before anything is opened: the person must fix an unreadable secret.
  const targets = webhookTargets(config.webhooks, folders.config);
  const platform = nodePlatform();
  const former = readLastHubFile(folders);
  const tls = settings.tls && readTls(settings.tls);
  const instance = platform.ids.session();
  const startedAt = platform.clock.now();
  const began = platform.clock.monotonic();
  const metrics = hubMetrics({
    clock: platform.clock,
    now: () => ({ stats: broker.stats(), surfaces: hub.connections.desks }),
  });
  const opened = await openStore(config.store, { ...files, kept: files.mcpSessions, space: config.space, log });
  const { shared } = opened;
  const store = metrics.timed(opened.store);
  const { fileBytes, sessionFileBytes, allFileBytes } = config.limits;
  const attachments = hubFiles({
    ...{ blobs: opened.blobs, store, clock: platform.clock, log },
    limits: { file: fileBytes, session: sessionFileBytes, total: allFileBytes },
    pdfFolder: join(folders.data, "pdfium"),
  });
  const own = ensureTokens(folders, createToken);
  const { askerToken, deskToken, proofKey } = shared === undefined ? own : await spaceTokens(shared, own);
  adoptDeskToken(folders, deskToken);
  let url: string | undefined;
  const broker = await createBroker({
    ...{
      ...platform,
      store,
      shared,
      log,
      files: attachments.check,
      images: attachments.images,
      retention: config.retention,
      agents: shared === undefined ? agentsFile(files.agents) : sharedAgents(shared),
      grants: shared === undefined ? grantsFile(files.grants) : sharedGrants(shared),
    },
    realPath: (path) => realpath(path).catch(() => undefined),
    clientForms: config.allowClientForms,
    about: () => ({ instance, version, pid: String(process.pid), ...(url !== undefined && { url }) }),
  });

  const stopWithdrawing = await withdrawLost({ store, broker, clock: platform.clock, isShared: shared !== undefined, log });
  const pending = await pendingLedger(store);
  /** Agents that are connected over HTTP. */
  let httpAgents = 0;
  /** The hub's own watchers, which are not counted. */
  let ownWatches = 0;
  let notify: Notify | undefined;
  let chat: HubChat | undefined;

  const push = mountPush({ key: pushKey(files.pushKey, shared), log });

  const status = (): HubStatus => {
    const { askers, waits, desks } = hub.connections;
    return {
      version,
      instance,
      pid: process.pid,
      url: hub.url,
      foreground,
      now: platform.clock.now(),
      startedAt,
      uptime: Math.round(platform.clock.monotonic() - began),
      store: { name: opened.name, durability: { ...store.durability } },
      ...(config.space !== undefined && { space: config.space }),
      ...(shared !== undefined && { peers: broker.peers().map(peerOf) }),
      ...broker.stats(),
      watching: broker.stats().watching - ownWatches - (chat?.status() ?? []).filter(({ isRead }) => isRead).length,
      reconnecting: Math.min(waits, broker.stats().waiting),
      attention,
      webhooks: notify?.status() ?? [],
      ...(notify?.push && { push: notify.push.status() }),
      chats: chat?.status() ?? [],
      web: web !== undefined,
      askers: askers + httpAgents,
      surfaces: desks.map((desk) => ({ ...desk })),
    };
  };
  const hub = createHub({
    broker,
    platform,
    version,
    instance,
    log,
    tokens: tokenVerifier([
      { hash: hashToken(askerToken), grant: { owner: "local", scopes: ["asker"] } },
      { hash: hashToken(deskToken), grant: { owner: "local-desk", scopes: ["desk"] } },
    ]),
    identity: hubIdentity(proofKey),
    prove: (nonce) => healthProof(proofKey, nonce, instance),
    allowedHosts: config.hosts,
    limits: config.limits,
    defaultTimeout: config.timeout,
    async readiness() {
      await store.check?.();
      return { store: { level: store.durability.level, description: store.durability.description } };
    },
    cluster: shared && { shared, name: config.space ?? "team" },
    devices: deviceFile(files.devices),
    tokenStore: tokenList(tokenFile(files.tokens, log)),
    mounts: [
      attachments.mount,
      mountMcp({
        ...{
          version,
          defaultTimeout: config.timeout,
          onCallEnd: metrics.callEnded,
          onRefused: metrics.refused,
          openKept: opened.openKept,
          files: {
            picture: (sessionId, { sha256 }) => attachments.picture(sessionId, sha256),
            pdf: (sessionId, { sha256 }, { from, images }) => attachments.pdf(sessionId, sha256, { from, images }),
          },
          log,
        },
        onAgents(count) {
          httpAgents = count;
        },
      }),
      mountMetrics(metrics),
      push.mount,
      mountApprovals({ sources: approvalSources, isWatched: () => hub.connections.desks.length > 0, log }),
    ],
    web,
    tls,
    pending,
    control: {
      status: async () => JSON.parse(JSON.stringify(status())),
      called: metrics.callEnded,
      async stop() {
        // Deferred, so that the caller gets its reply first.
        setImmediate(onStop);
      },
    },
  });
  const endings: (() => Promise<void> | void)[] = [];
  const shut = async (reason: string) => {
    stopWithdrawing();
    for (const end of endings) await end();
    await hub.close(reason);
    await broker.close();
    pending.close();
    attachments.close();
    await opened.close();
  };

  try {
    // A port that was taken is tried again: it may only have been taken for a while.
    const lastPorts = [former?.wantedPort, portOf(former?.url)].filter((port) => port !== undefined);
    url = await listenAt(hub, { host: config.host, port: config.port, lastPorts });
    const logQuestion = questionLog(log, { hasPage: web !== undefined });
    const watch = await broker.desk({ surface: "api" }).watch({ presence: true }, (event) => {
      logQuestion(event);
      metrics.onEvent(event);
    });
    const claim = oneHub(shared, instance);
    notify = await startHubNotify({ broker, hub, config, files, targets, push, env, askboxCommand, platform, log, shared, claim });
    chat = await followChat({
      ...{ file: files.chat, desk: broker.desk({ surface: "api" }), clock: platform.clock, log, shared, instance },
      deskOf: (surface, name) => broker.desk({ surface, name }),
      files: { most: fileBytes ?? defaultFileLimits.file, put: attachments.put },
      rules: { quietHours: config.quietHours, rules: config.attentionFor },
      undo: config.undo * 1_000,
    });
    endings.push(watch.close, notify.close, chat.close);
    ownWatches = notify.isWatching ? 2 : 1;
    await registerClients({ config, folders, files, env, askboxCommand, log });
    const at = url;
    const [wantedPort] = lastPorts;
    const isMoved = config.port === undefined && wantedPort !== undefined && wantedPort !== portOf(at);
    const writeAddress = (fingerprint: string | undefined) =>
      writeHubFile(folders, {
        url: at,
        pid: process.pid,
        version,
        instance,
        askerToken,
        proofKey,
        ...(fingerprint !== undefined && { fingerprint }),
        ...(isMoved && { wantedPort }),
      });
    writeAddress(tls?.fingerprint);
    if (settings.tls !== undefined) {
      const onRenewed = (renewed: HubTls) => {
        hub.renewTls(renewed);
        writeAddress(renewed.fingerprint);
      };
      endings.push(followTls(settings.tls, { log, onRenewed }));
    }
    return {
      url,
      instance,
      async isBusy() {
        const { askers, desks, requests } = hub.connections;
        if (askers > 0 || desks.length > 0 || requests > 0 || broker.stats().pending > 0) return true;
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

function portOf(url: string | undefined): number | undefined {
  const port = url !== undefined && URL.canParse(url) ? Number(new URL(url).port) : 0;
  return port > 0 ? port : undefined;
}
