import type { Clock, Desk, Log } from "@askbox/core";
import { type AttentionSettings, warnOnceTo } from "./channels/channel.ts";
import { type AttentionMode, modeOf } from "./channels/index.ts";
import { type Environment, processRunner, type Runner } from "./run/runner.ts";
import { Caller } from "./watch/caller.ts";
import { ToldSessions } from "./watch/told-sessions.ts";

export interface AttentionOptions {
  /** Sees every session of the inbox. */
  desk: Pick<Desk, "watch">;
  mode: AttentionMode;
  settings: AttentionSettings;
  /** Whether a surface is connected on which a person would notice a question. */
  isSomebodyThere(): boolean;
  /** A link that opens the inbox; requested when a browser is opened. */
  inboxLink(): Promise<string>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  /**
   * Stores which sessions were announced, so that a restarted hub neither repeats a notification nor skips one. Without it, pending
   * sessions that are older than a batch (1.5 s) at the start are ignored.
   */
  shownFile?: string | undefined;
  env: Environment;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
}

export interface Attention {
  /** Stops watching and ends every process it started, except a browser. */
  close(): Promise<void>;
}

/**
 * Notifies a person about new questions while no surface is open: once per session, with all questions of 1.5 s together. Failures are
 * logged, once per cause, and have no other effect. Throws only what the desk's `watch` throws.
 */
export async function startAttention(options: AttentionOptions): Promise<Attention> {
  const { desk, env, platform, clock, log, isSomebodyThere } = options;
  const warnOnce = warnOnceTo(log);
  const run = options.run ?? processRunner(clock, platform);
  const { mode, settings, inboxLink, askboxCommand } = options;
  const channel = modeOf(mode).open?.({ run, env, platform, log, warnOnce, settings, inboxLink, askboxCommand });
  if (channel === undefined) return { close: async () => {} };
  const told = new ToldSessions(options.shownFile, warnOnce);
  const caller = new Caller({ channel, told, isSomebodyThere, clock, log });
  const watch = await desk.watch({}, (event) => caller.onEvent(event));
  return {
    async close() {
      watch.close();
      caller.close();
      await channel.close();
      await told.saved();
    },
  };
}
