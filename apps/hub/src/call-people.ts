import type { Broker, Log, Platform, Surface } from "@askbox/core";
import type { Config, HomeFiles } from "@askbox/home";
import type { Hub } from "@askbox/hub";
import { type Attention, type AttentionMode, defaultAttention, startAttention } from "@askbox/notify";

/** Surfaces that people look at; a command or a script that connects briefly shows nothing. */
const watched: readonly Surface[] = ["terminal", "web", "client"];

export interface CallPeopleOptions {
  broker: Broker;
  hub: Hub;
  config: Config;
  files: HomeFiles;
  env: Readonly<Record<string, string | undefined>>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  platform: Platform;
  log: Log;
}

/** The attention mode of this home, from the config or the machine's default. */
export function attentionMode({ attention }: Config, env: CallPeopleOptions["env"]): AttentionMode {
  return attention ?? defaultAttention({ env, platform: process.platform });
}

/** Notifies people about questions that arrive while no surface is open. */
export function callPeople({ broker, hub, config, files, env, askboxCommand, platform, log }: CallPeopleOptions): Promise<Attention> {
  return startAttention({
    desk: broker.desk({ surface: "api" }),
    mode: attentionMode(config, env),
    settings: { command: config.attentionCommand, showText: config.notifyText },
    isSomebodyThere: () => hub.connections.desks.some(({ surface }) => watched.includes(surface)),
    inboxLink: async () => hub.createLogin().url,
    askboxCommand,
    shownFile: files.told,
    env,
    platform: process.platform,
    clock: platform.clock,
    log,
  });
}
