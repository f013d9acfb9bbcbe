import { dirname, join } from "node:path";
import type { Clock, Desk, Log, SharedState } from "@askbox/core";
import { type AttentionRules, type DeliveryMeter, noRules, warnOnceTo } from "@askbox/notify";
import { type ChatDesk, restartKey, startChatDesk } from "./chat-desk.ts";
import { type Fetch, smallFetch } from "./http.ts";
import type { ChatFiles } from "./interaction.ts";
import { type PlatformName, platformNames } from "./platforms.ts";
import { changeDesk, type DeskSettings, readChatSettings } from "./settings.ts";
import { type OpenSocket, openSocket } from "./socket.ts";
import { deskStore } from "./store.ts";

/**
 * Runs the desks that the settings name, and follows their changes. Of several hubs, only the one with the lease, below, talks to a bot:
 * services let only one of them read. Its desk is another's within 15 s after it is gone.
 */

export interface ChatOptions {
  /** The file with the desks; what each has posted is in files beside it. */
  file: string;
  /** Sees every session. */
  desk: Pick<Desk, "watch" | "get">;
  /** A desk for a person at a surface. */
  deskOf(surface: string, person: string): Desk;
  clock: Clock;
  log: Log;
  rules?: AttentionRules | undefined;
  /** Milliseconds in which what models have denied is told together. Default: 0, it is not told. */
  denialDigest?: number | undefined;
  /** Where files of answers are stored. Without it, people can't send any. */
  files?: ChatFiles | undefined;
  /** Milliseconds during which an answer can be undone. */
  undo: number;
  /** Told of each message that is posted, by the service's name. */
  meter?: DeliveryMeter | undefined;
  /** What several hubs share: only one of them then talks to a bot. */
  shared?: SharedState | undefined;
  /** This hub's name among them. */
  instance?: string | undefined;
  fetch?: Fetch | undefined;
  openSocket?: OpenSocket | undefined;
}

/** The state of one platform's desk. */
export interface ChatStatus {
  name: PlatformName;
  bot: string;
  /** Whether this hub talks to the bot; of several hubs, one does. */
  isRead: boolean;
  trouble?: string;
}

export interface Chat {
  status(): ChatStatus[];
  /** Reads the file again. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface Running {
  key: string;
  settings: DeskSettings;
  desk?: ChatDesk | undefined;
  close(): Promise<void>;
}

/** The file with what a platform's desk has posted. */
export const statePath = (file: string, name: PlatformName): string => join(dirname(file), `chat-${name}.json`);

/**
 * Runs the chat desks of a home: each posts the questions that nobody has seen, and takes the answers. Their failures are logged, and have no
 * other effect.
 */
export async function startChat(options: ChatOptions): Promise<Chat> {
  const { file, desk, clock, log, meter, shared, files, undo, rules = noRules, fetch = smallFetch, instance = "hub" } = options;
  const warnOnce = warnOnceTo(log);
  const running = new Map<PlatformName, Running>();
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();

  const start = async (name: PlatformName, settings: DeskSettings): Promise<Running> => {
    const people = new Map<string, Desk>();
    const deskOf = (person: string): Desk => {
      const own = people.get(person) ?? options.deskOf(name, person);
      people.set(person, own);
      return own;
    };
    const run: Running = { key: restartKey(settings), settings, close: async () => {} };
    const open = async () => {
      const store = await deskStore({
        path: statePath(file, name),
        bot: settings.bot.id,
        shared,
        key: `chat:${name}`,
        now: clock.now,
        warnOnce,
      });
      const change = async (how: (desk: DeskSettings) => DeskSettings) => {
        // Another bot's settings are none of this desk's.
        const changed = await changeDesk(file, name, (stored) => (stored?.bot.id === settings.bot.id ? how(stored) : stored));
        if (changed?.bot.id === settings.bot.id) run.desk?.update(changed);
        void reload();
      };
      run.desk = await startChatDesk({
        name,
        settings: run.settings,
        change,
        store,
        desk,
        deskOf,
        clock,
        log,
        onResult: (result) => meter?.(name, result),
        warnOnce,
        rules,
        denialDigest: options.denialDigest ?? 0,
        files,
        undo,
        fetch,
        openSocket: options.openSocket ?? openSocket,
      });
      const { close } = run.desk;
      return {
        async close() {
          run.desk = undefined;
          await close();
        },
      };
    };
    if (shared === undefined) run.close = (await open()).close;
    else run.close = onOneHub({ shared, key: `chat-reader:${name}:${settings.bot.id}`, owner: instance, clock, log }, open).close;
    return run;
  };
  const look = async () => {
    const settings = isClosed ? {} : readChatSettings(file);
    for (const name of platformNames) {
      const wanted = settings[name];
      const present = running.get(name);
      if (wanted !== undefined && present?.key === restartKey(wanted)) {
        present.settings = wanted;
        present.desk?.update(wanted);
        continue;
      }
      await present?.close();
      running.delete(name);
      if (wanted !== undefined) running.set(name, await start(name, wanted));
    }
  };
  const reload = (): Promise<void> => {
    turn = turn.then(look).catch((error: unknown) => log("warn", "The chat desks could not be started.", { error: String(error) }));
    return turn;
  };
  await reload();
  return {
    status: () =>
      [...running].map(([name, { settings, desk: one }]) => {
        const trouble = one?.trouble();
        return { name, bot: settings.bot.name, isRead: one !== undefined, ...(trouble !== undefined && { trouble }) };
      }),
    reload,
    async close() {
      isClosed = true;
      await reload();
    },
  };
}

/** Milliseconds that a lease lasts, and how often it is renewed. */
const [lasts, renewed] = [15_000, 5_000];

/** Runs something at one of several hubs: the service lets only one of them read. Another one takes over when it is gone. */
function onOneHub(
  { shared, key, owner, clock, log }: { shared: SharedState; key: string; owner: string; clock: Clock; log: Log },
  start: () => Promise<{ close(): Promise<void> }>,
): { close(): Promise<void> } {
  let running: { close(): Promise<void> } | undefined;
  let turn: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let isClosed = false;

  const look = async () => {
    // What cannot be renewed may be another hub's by now.
    const isOurs = await holds().catch(() => false);
    if (isOurs && running === undefined) running = await start();
    if (!isOurs && running !== undefined) {
      await running.close();
      running = undefined;
    }
  };
  const holds = async () =>
    (await shared.swap(key, owner, owner, lasts)) ||
    ((await shared.get(key)) === undefined && (await shared.swap(key, undefined, owner, lasts)));
  const tick = () => {
    turn = look()
      .catch((error: unknown) => log("warn", "A chat desk could not be started; it is tried again.", { error: String(error) }))
      .then(() => {
        if (!isClosed) cancel = clock.setTimer(renewed, tick);
      });
  };
  tick();
  return {
    async close() {
      isClosed = true;
      cancel();
      await turn;
      await running?.close();
      await shared.swap(key, owner, undefined, null).catch(() => false);
    },
  };
}
