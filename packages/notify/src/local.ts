import { type AnnouncedFile, localChannelKey } from "./announced-file.ts";
import { type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
import { localChannel } from "./channels/index.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { processRunner } from "./run/runner.ts";
import type { WarnOnce } from "./warn-once.ts";

/** Milliseconds from the first question of a batch until the notification. */
const window = 1_500;

/** Announces to the person at this machine, at once, while no surface is open. Undefined if the mode notifies nobody. */
export function startLocal(options: NotifyOptions, local: LocalOptions, file: AnnouncedFile, warnOnce: WarnOnce): Follower | undefined {
  const { clock, log } = options;
  const { mode, isSomebodyThere } = local;
  const { open, atOnce = Number.POSITIVE_INFINITY } = localChannel(mode);
  if (open === undefined) return undefined;
  const announce = open({ ...local, clock, run: local.run ?? processRunner(clock, local.platform), log, warnOnce });
  const channel: AnnouncerChannel = {
    ...{ key: localChannelKey, noun: "notification", shown: mode, atOnce, window, after: 0, isSomebodyThere },
    takes: () => true,
    async send(events, signal) {
      await announce(
        events.map(({ session }) => session),
        signal,
      );
      return { ok: true };
    },
  };
  return startAnnouncer(options, channel, file);
}
