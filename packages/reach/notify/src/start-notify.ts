import type { DeskEvent, SessionView } from "@askbox/core";
import { announcedFile } from "./announcer.ts";
import { noRules, timesElsewhere } from "./attention.ts";
import { buttonPressStore } from "./button-press/tokens.ts";
import { isWanted, shownUrl, type Target } from "./channels/index.ts";
import { type DigestChannel, startDigest, startLocalDigest } from "./digest.ts";
import type { NotifyEvent } from "./event.ts";
import { warnOnceTo } from "./failures.ts";
import { startLocal } from "./local.ts";
import type { Follower, Notify, NotifyOptions, TargetStatus } from "./options.ts";
import { type PersonFollower, startPeople, takesButtonPresses } from "./people.ts";
import { startPush } from "./push/start-push.ts";
import { type RemoteStatus, startRemote } from "./remote.ts";

/**
 * Notifies people and programs of questions, in the background: the person at this machine while no surface is open, with all questions of
 * 1.5 s together; people elsewhere of what nobody has seen after a while; programs of everything that opens and settles, at least once each,
 * also across restarts. Failures are logged and have no other effect. Throws only what the desk's `watch` throws.
 */
export async function startNotify(options: NotifyOptions): Promise<Notify> {
  const warnOnce = warnOnceTo(options.log);
  const file = await announcedFile(options.announced, warnOnce);
  const local = options.local === undefined ? [] : startLocal(options, options.local, file, warnOnce);
  const { remote, denialDigest = 0, rules = noRules } = options;
  const hours = (session: SessionView) => timesElsewhere(rules, session, 0);
  const digest = { clock: options.clock, file, warnOnce, every: denialDigest };
  if (options.local !== undefined && denialDigest > 0) local.push(startLocalDigest(options, options.local, digest));
  const store =
    remote !== undefined && (remote.push !== undefined || takesButtonPresses(remote))
      ? await buttonPressStore({ file: remote.buttonPresses, shared: remote.shared, now: options.clock.now, warnOnce })
      : undefined;
  const people = remote === undefined ? [] : startPeople(options, remote, { file, store, warnOnce });
  const push = remote?.push && store && startPush(options, remote, remote.push, { file, store, warnOnce });
  const programs = remote && (await startRemote(options, remote));
  const tellDenials = (place: string, tell: (event: NotifyEvent) => void, hoursOf: DigestChannel["hoursOf"] = hours) =>
    startDigest(digest, { place, shared: remote?.shared, hoursOf, tell: (_, event) => tell(event) });
  const wanting = denialDigest === 0 ? [] : (remote?.targets ?? []).filter(({ events }) => events.includes("denials.digest"));
  const digests = wanting.map((target) => {
    const person = people.find((each) => each.target === target);
    const tell = person?.tell ?? ((event: NotifyEvent) => programs?.tell(target, event));
    return tellDenials(target.url, tell, (session) =>
      isWanted(target, { type: "denials.digest", session }) ? (person ? hours(session) : {}) : undefined,
    );
  });
  if (push !== undefined && denialDigest > 0) digests.push(tellDenials("push", push.tell));
  const followers: Follower[] = [...local, ...people, push, programs, ...digests].filter((follower) => follower !== undefined);
  const onEvent = (event: DeskEvent) => {
    for (const follower of followers) follower.onEvent(event);
  };
  const watch = followers.length === 0 ? undefined : await options.desk.watch({ presence: true }, onEvent);
  return {
    isWatching: watch !== undefined,
    push,
    status: () => (remote?.targets ?? []).map((target) => statusOf(target, people, programs?.status() ?? [])),
    async close() {
      watch?.close();
      await Promise.all(followers.map((follower) => follower.close()));
      await Promise.all([file.written(), store?.written()]);
    },
  };
}

/** What was announced there, and what was sent besides. */
function statusOf(target: Target, people: readonly PersonFollower[], programs: readonly RemoteStatus[]): TargetStatus {
  const found = [
    ...people.filter((person) => person.target === target).map((person) => person.status()),
    ...programs.filter((program) => program.target === target.url),
  ];
  const sum = (name: "delivered" | "waiting" | "failed") => found.reduce((total, status) => total + status[name], 0);
  const trouble = found.find((status) => status.trouble !== undefined)?.trouble;
  return {
    url: shownUrl(target),
    kind: target.kind,
    delivered: sum("delivered"),
    waiting: sum("waiting"),
    failed: sum("failed"),
    ...(trouble !== undefined && { trouble }),
  };
}
