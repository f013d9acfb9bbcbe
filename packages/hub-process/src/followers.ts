// What follows the inbox of a hub that listens: its log, notifications, and chats, which are loaded when there is one.

import { existsSync, unwatchFile, watchFile } from "node:fs";
import type { Chat, ChatOptions, ChatStatus } from "@askbox/chat";
import type { Broker, DeskEvent, Log, Platform, SessionView, SharedState, Surface } from "@askbox/core";
import type { Config, HomeFiles } from "@askbox/home";
import type { Hub } from "@askbox/hub";
import { type AttentionMode, type DeliveryMeter, defaultAttention, type Notify, startNotify, type Target } from "@askbox/notify";
import type { MountedPush } from "./push/mount-push.ts";

/** Surfaces that people look at; a command or a script that connects briefly shows nothing. */
const watched: readonly Surface[] = ["terminal", "web", "client"];

export interface HubNotifyOptions {
  broker: Broker;
  hub: Hub;
  config: Config;
  files: HomeFiles;
  targets: readonly Target[];
  push: MountedPush;
  env: Readonly<Record<string, string | undefined>>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  platform: Platform;
  log: Log;
  meter: DeliveryMeter;
  /** What several hubs of a space share. */
  shared: SharedState | undefined;
  /** Whether this hub is the one that sends an event to the targets. */
  claim: ((eventId: string) => Promise<boolean>) | undefined;
}

/** The attention mode of this home, from the config or the machine's default. */
export function attentionMode({ attention }: Config, env: HubNotifyOptions["env"]): AttentionMode {
  return attention ?? defaultAttention({ env, platform: process.platform });
}

/** Notifies the person of questions that arrive while no surface is open, and the config's webhooks of what opens and settles. */
export async function startHubNotify(options: HubNotifyOptions): Promise<Notify> {
  const { broker, hub, config, files, targets, push, env, askboxCommand, platform, log, meter, shared, claim } = options;
  const notify = await startNotify({
    desk: broker.desk({ surface: "api" }),
    clock: platform.clock,
    log,
    meter,
    announced: files.told,
    rules: { quietHours: config.quietHours, rules: config.attentionFor },
    denialDigest: config.denialDigest,
    local: {
      mode: attentionMode(config, env),
      settings: { command: config.attentionCommand, showText: config.notifyText },
      isSomebodyThere: () => hub.connections.desks.some(({ surface }) => watched.includes(surface)),
      isPageOpen: () => hub.connections.desks.some(({ surface }) => surface === "web"),
      inboxLink: async () => hub.createLogin().url,
      askboxCommand,
      env,
      platform: process.platform,
    },
    remote: {
      targets,
      claim,
      shared,
      file: files.webhooks,
      buttonPresses: files.buttonPresses,
      answerAs: (name) => broker.desk({ surface: "api", name }),
      push: await push.options({
        showText: config.notifyText,
        answerAs: ({ name, person = name }) => broker.desk({ surface: "web", name: person }),
      }),
    },
  });
  push.connect(notify.push);
  return notify;
}

/** How often the file is looked at, in ms: a person who pairs waits for it. */
const lookEvery = 1_000;

/** The chat desks of this home, as they are configured now. */
export interface HubChat {
  status(): ChatStatus[];
  close(): Promise<void>;
}

/** Runs the chat desks of a home, and follows its file. What talks to chats is loaded only where there is one. */
export async function followChat(options: ChatOptions): Promise<HubChat> {
  const { file, log } = options;
  let chat: Chat | undefined;
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();
  const look = async () => {
    if (isClosed || (chat === undefined && !existsSync(file))) return;
    if (chat === undefined) chat = await (await import("@askbox/chat")).startChat(options);
    else await chat.reload();
  };
  // Also what talks to chats may fail to load, such as while askbox is updated: the next change of the file tries again.
  const next = () => {
    turn = turn.then(look).catch((error: unknown) => log("warn", "The chat desks could not be started.", { error: String(error) }));
  };
  next();
  watchFile(file, { interval: lookEvery, persistent: false }, next);
  await turn;
  return {
    status: () => chat?.status() ?? [],
    async close() {
      isClosed = true;
      unwatchFile(file, next);
      await turn;
      await chat?.close();
    },
  };
}

/** Logs where each new question can be answered, never its text. */
export function questionLog(log: Log, { hasPage }: { hasPage: boolean }): (event: DeskEvent) => void {
  const known = new Set<string>();
  const page = hasPage ? ", or in a browser with `askbox open`" : "";
  const onEvent = ({ id, status, asker, questions }: SessionView) => {
    if (status !== "pending") return void known.delete(id);
    if (known.has(id)) return;
    known.add(id);
    const { client, project } = asker;
    log("info", `New question: answer with \`askbox answer ${id.slice(0, 8)}\`${page}`, {
      sessionId: id,
      client: client.name,
      project,
      questions: questions.length,
    });
  };
  return (event) => {
    // Questions that were pending at the start were logged by an earlier hub.
    if (event.type === "snapshot") for (const { id } of event.sessions) known.add(id);
    else if (event.type === "session") onEvent(event.session);
    else if (event.type === "removed") known.delete(event.sessionId);
  };
}
