import type { Clock, Log, SharedState } from "@askbox/core";

/** Milliseconds that a lease lasts, and how often it is renewed. */
const [lasts, renewed] = [15_000, 5_000];

/** Runs something at one of several hubs: the service lets only one of them read. Another one takes over when it is gone. */
export function onOneHub(
  { shared, key, owner, clock, log }: { shared: SharedState; key: string; owner: string; clock: Clock; log: Log },
  start: () => Promise<{ close(): Promise<void> }>,
): { close(): Promise<void> } {
  let running: { close(): Promise<void> } | undefined;
  let turn: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let isClosed = false;

  const look = async () => {
    // What cannot be renewed may be another hub's by now.
    const isOurs = await holds().catch(() => false);
    if (isOurs && running === undefined) running = await start();
    if (!isOurs && running !== undefined) {
      await running.close();
      running = undefined;
    }
  };
  const holds = async () =>
    (await shared.swap(key, owner, owner, lasts)) ||
    ((await shared.get(key)) === undefined && (await shared.swap(key, undefined, owner, lasts)));
  const tick = () => {
    turn = look()
      .catch((error: unknown) => log("warn", "A chat desk could not be started; it is tried again.", { error: String(error) }))
      .then(() => {
        if (!isClosed) cancel = clock.setTimer(renewed, tick);
      });
  };
  tick();
  return {
    async close() {
      isClosed = true;
      cancel();
      await turn;
      await running?.close();
      await shared.swap(key, owner, undefined, null).catch(() => false);
    },
  };
}
