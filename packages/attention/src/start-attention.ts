import type { Clock, Desk, Log } from "@askbox/core";
import { type AttentionSettings, warnOnceTo } from "./modes/channel.ts";
import { type AttentionMode, modeOf } from "./modes/index.ts";
import { type Environment, processRunner, type Runner } from "./run/runner.ts";
import { Caller } from "./watch/caller.ts";
import { ToldSessions } from "./watch/told-sessions.ts";

export interface AttentionOptions {
  /** Sees every session of the inbox. */
  desk: Pick<Desk, "watch">;
  mode: AttentionMode;
  settings: AttentionSettings;
  /** Whether a surface is connected through which a person would see a question by themselves. */
  isSomebodyThere(): boolean;
  /** A link that opens the inbox; asked for when a browser is opened. */
  inboxLink(): Promise<string>;
  /** The program and arguments that run `askbox`. */
  askboxCommand: readonly string[];
  /**
   * Where it is kept which sessions were told, so that a hub that starts again does not repeat itself and still tells what it could not.
   * Without it, sessions that are pending at the start and older than a batch (1.5 s) are left alone.
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
  /** Ends the watch and every process that was started for it, except a browser's. */
  close(): Promise<void>;
}

/**
 * Calls a person's attention to questions that come while nobody is there: once for each session, several within 1.5 s together. What
 * cannot be done is logged, once for each cause, and disturbs nothing. Throws only what the desk's `watch` throws.
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
