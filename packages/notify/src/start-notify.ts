import type { DeskEvent } from "@askbox/core";
import { startLocal } from "./local.ts";
import type { Follower, Notify, NotifyOptions } from "./options.ts";
import { startRemote } from "./remote.ts";

/**
 * Notifies people and programs of questions, in the background: the person at this machine while no surface is open, with all questions of
 * 1.5 s together; targets elsewhere of everything that opens and settles, at least once each, also across restarts. Failures are logged and
 * have no other effect. Throws only what the desk's `watch` throws.
 */
export async function startNotify(options: NotifyOptions): Promise<Notify> {
  const local = options.local && (await startLocal(options, options.local));
  const remote = options.remote && (await startRemote(options, options.remote));
  const followers: Follower[] = [local, remote].filter((follower) => follower !== undefined);
  const onEvent = (event: DeskEvent) => {
    for (const follower of followers) follower.onEvent(event);
  };
  const watch = followers.length === 0 ? undefined : await options.desk.watch({ presence: true }, onEvent);
  return {
    isWatching: watch !== undefined,
    status: () => remote?.status() ?? [],
    async close() {
      watch?.close();
      await Promise.all(followers.map((follower) => follower.close()));
    },
  };
}
