import { type AnnouncedFile, localChannelKey } from "./announced-file.ts";
import { type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
import { noRules, settingsFor } from "./attention-schema.ts";
import { type AttentionMode, localChannel } from "./channels/index.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { processRunner } from "./run/runner.ts";
import type { WarnOnce } from "./warn-once.ts";
import { withdrawing } from "./withdrawing.ts";

/** Milliseconds from the first question of a batch until the notification. */
const window = 1_500;

/** Announces to the person at this machine, at once, while no surface is open, in each mode that a question may have. */
export function startLocal(options: NotifyOptions, local: LocalOptions, file: AnnouncedFile, warnOnce: WarnOnce): Follower[] {
  const modes = new Set([local.mode, ...(options.rules?.rules ?? []).flatMap(({ attention = [] }) => attention)]);
  return [...modes].flatMap((mode) => startMode(mode, options, local, file, warnOnce) ?? []);
}

/** Undefined if the mode notifies nobody. */
function startMode(
  mode: AttentionMode,
  options: NotifyOptions,
  local: LocalOptions,
  file: AnnouncedFile,
  warnOnce: WarnOnce,
): Follower | undefined {
  const { clock, log, meter, rules = noRules } = options;
  const { isSomebodyThere, channelOf = localChannel } = local;
  const { open, atOnce = Number.POSITIVE_INFINITY } = channelOf(mode);
  if (open === undefined) return undefined;
  const shown = withdrawing();
  const run = local.run ?? processRunner(clock, local.platform);
  const announce = open({ ...local, clock, run, onShown: shown.onShown, log, warnOnce });
  const channel: AnnouncerChannel = {
    key: localChannelKey,
    noun: "notification",
    shown: mode,
    atOnce,
    window,
    onResult: (result) => meter?.(mode, result),
    isSomebodyThere,
    timesOf(session) {
      const { attention = local.mode, quiet } = settingsFor(rules, session);
      return attention === mode ? { after: 0, quiet } : undefined;
    },
    async send(events, signal) {
      const sessions = events.map(({ session }) => session);
      shown.begin(sessions);
      await announce(sessions, signal).finally(() => shown.end(sessions));
      return { ok: true };
    },
  };
  const announcer = startAnnouncer(options, channel, file);
  return {
    ...announcer,
    onEvent(event) {
      shown.onEvent(event);
      announcer.onEvent(event);
    },
  };
}
