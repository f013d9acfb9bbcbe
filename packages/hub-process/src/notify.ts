import type { Broker, Log, Platform, SharedState, Surface } from "@askbox/core";
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
