import type { AnnouncedFile } from "./announced-file.ts";
import { type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
import { noRules, settingsFor } from "./attention-schema.ts";
import { post } from "./channels/post.ts";
import { isForPerson, isWanted, requestOf, shownUrl, type Target } from "./channels/webhook-schema.ts";
import type { Follower, NotifyOptions, RemoteOptions } from "./options.ts";
import type { QueueStatus } from "./queue/queue.ts";

/** Announces to a person elsewhere what nobody has seen, and how it ended. */
export type PersonFollower = Follower & { target: Target; status(): QueueStatus };

/** Announces at each target that a person reads. */
export function startPeople(options: NotifyOptions, remote: RemoteOptions, file: AnnouncedFile): PersonFollower[] {
  return remote.targets.filter(isForPerson).map((target) => ({ target, ...startPerson(options, remote, target, file) }));
}

function startPerson(
  options: NotifyOptions,
  { claim, fetch = globalThis.fetch, random }: RemoteOptions,
  target: Target,
  file: AnnouncedFile,
) {
  const { clock, rules = noRules } = options;
  const channel: AnnouncerChannel = {
    ...{ key: target.url, noun: "push", shown: shownUrl(target), atOnce: 4, random },
    timesOf(session) {
      const { after = target.after * 1_000, quiet } = settingsFor(rules, session);
      return after === null ? undefined : { after, quiet };
    },
    // Elsewhere is told what nobody saw here, whatever is connected.
    isSomebodyThere: () => false,
    takes: (event) => isWanted(target, event),
    tellsEnd: (event, isAnnounced) => isAnnounced || isWanted(target, event),
    send: async ([event], signal) =>
      event === undefined ? { ok: true } : post(requestOf(target, event, clock.now()), clock, fetch, signal),
    ...(claim && { claim: (news: string) => claim(`${news}@${target.url}`) }),
  };
  return startAnnouncer(options, channel, file);
}
