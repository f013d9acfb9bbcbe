import { createBroker, type Log, standardPlatform } from "@askbox/core";
import { ensureTokens, type HomeFiles, type HomeFolders, healthProof, readLastHubFile, retireHubFile, writeHubFile } from "@askbox/home";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import { attentionMode, callPeople } from "./call-people.ts";
import { deviceFile } from "./device-file.ts";
import { listenAt } from "./listen.ts";
import { mountMcp } from "./mcp/mount-mcp.ts";
import { hubMetrics } from "./metrics/hub-metrics.ts";
import { mountMetrics } from "./metrics/mount-metrics.ts";
import { openStore } from "./open-store.ts";
import { questionLog } from "./question-log.ts";
import type { HubSettings } from "./settings.ts";
import type { HubStatus } from "./status.ts";

export interface ServeOptions {
  folders: HomeFolders;
  files: HomeFiles;
  settings: HubSettings;
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of the built web inbox, where there is one. */
  web: string | undefined;
  /** The program and arguments that run `askbox`. */
  askboxCommand: readonly string[];
  /** Run by a person in a terminal. */
  foreground: boolean;
  log: Log;
  /** Somebody asked for the hub's end over the wire. */
  onStop(): void;
}

/** A hub that serves this home. */
export interface ServedHub {
  url: string;
  instance: string;
  isBusy(): boolean;
  visits(): number;
  /** Takes the hub out of sight and ends it within 5 s. Sessions and tokens stay. */
  close(reason: string): Promise<void>;
}

/** Puts store, broker and server together and writes `hub.json` when they are ready. The caller holds the lock. */
export async function serveHome(options: ServeOptions): Promise<ServedHub> {
  const { folders, files, settings, version, env, foreground, web, askboxCommand, log, onStop } = options;
  const { config } = settings;
  const attention = attentionMode(config, env);
  const platform = standardPlatform(globalThis);
  const former = readLastHubFile(folders);
  const { askerToken, deskToken } = ensureTokens(folders, createToken);
  const instance = platform.ids.session();
  const startedAt = platform.clock.now();
  const began = platform.clock.monotonic();
  const metrics = hubMetrics({
    clock: platform.clock,
    now: () => ({ stats: broker.stats(), surfaces: hub.connections.desks }),
  });
  const store = metrics.timed(await openStore(config.store, { database: files.database, log }));
  const broker = await createBroker({ ...platform, store, log, retention: config.retention });

  /** Watches of the hub itself, of which nobody is told. */
  let ownWatches = 0;

  const status = (): HubStatus => {
    const { askers, desks } = hub.connections;
    return {
      version,
      instance,
      pid: process.pid,
      url: hub.url,
      foreground,
      now: platform.clock.now(),
      startedAt,
      uptime: Math.round(platform.clock.monotonic() - began),
      store: { name: config.store, durability: { ...store.durability } },
      ...broker.stats(),
      watching: broker.stats().watching - ownWatches,
      attention,
      web: web !== undefined,
      askers,
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
    prove: (nonce) => healthProof(askerToken, nonce, instance),
    allowedHosts: config.hosts,
    limits: config.limits,
    defaultTimeout: config.timeout,
    devices: deviceFile(files.devices),
    mounts: [
      mountMcp({ version, defaultTimeout: config.timeout, onCallEnd: metrics.callEnded, onRefused: metrics.refused, log }),
      mountMetrics(metrics),
    ],
    web,
    countPending: (owner, agentId) => store.count({ states: ["pending"], owner, ...(agentId !== undefined && { agentId }) }),
    control: {
      status: async () => JSON.parse(JSON.stringify(status())),
      async stop() {
        // Later, so that whoever asked is told first.
        setImmediate(onStop);
      },
    },
  });
  const endings: (() => Promise<void> | void)[] = [];
  const shut = async (reason: string) => {
    for (const end of endings) await end();
    await hub.close(reason);
    await broker.close();
    await store.close();
  };

  try {
    const url = await listenAt(hub, { host: config.host, port: config.port, lastPort: portOf(former?.url) });
    const logQuestion = questionLog(log, { hasPage: web !== undefined });
    const watch = await broker.desk({ surface: "api" }).watch({}, (event) => {
      logQuestion(event);
      metrics.hear(event);
    });
    const called = await callPeople({ broker, hub, config, files, env, askboxCommand, platform, log });
    endings.push(watch.close, called.close);
    ownWatches = attention === "none" ? 1 : 2;
    writeHubFile(folders, { url, pid: process.pid, version, instance, askerToken });
    return {
      url,
      instance,
      isBusy() {
        const { askers, desks, requests } = hub.connections;
        return askers > 0 || desks.length > 0 || requests > 0 || broker.stats().pending > 0;
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
