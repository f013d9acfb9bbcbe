import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { CodexDenial, CodexInbox, CodexRequest } from "@askbox/clients/codex-socket";
import { codexSocketSource, readCodexDecision, readOverruled } from "@askbox/clients/hooks";
import type { Log } from "@askbox/core";
import { type FoundHub, findHub, gitPlace, requestHub } from "@askbox/home";

export interface HubInboxOptions {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  log: Log;
  signal: AbortSignal;
}

/** Milliseconds. Looking for a hub takes at most this long, and starts again after it, more and more rarely. */
const times = { find: 900, first: 500, longest: 5_000, settled: 2_000, replaced: 2_000 };

/** One hub, from when it was found until it no longer answers. */
interface HubConnection {
  hub: FoundHub;
  ended: Promise<void>;
}

/**
 * Asks the hub that is running, without starting one, and asks the next one again what nobody decided. It holds a request that names the
 * sessions, so that the hub notices immediately when this process ends.
 */
export function hubInbox({ env, hub: hubUrl, tokenFile, log, signal }: HubInboxOptions): CodexInbox {
  const follower = randomUUID();
  let sessions: readonly string[] = [];
  let next = Promise.withResolvers<HubConnection>();
  let changed = Promise.withResolvers<void>();
  const gone = untilAborted(signal);

  const post = (hub: FoundHub, body: object, how: { timeout?: number; signal: AbortSignal }) =>
    requestHub(hub, { method: "POST", path: codexSocketSource.path, body, ...how });

  /**
   * Holds the request; returns once the hub ended it, or nothing is to be followed. When the sessions change, the hub ends the request
   * before as soon as it has the next one, so that no hook in between finds its session unfollowed.
   */
  async function hold(hub: FoundHub): Promise<void> {
    let before: AbortController | undefined;
    while (sessions.length > 0 && !signal.aborted) {
      const mine = new AbortController();
      const held = post(hub, { type: "follows", sessions, follower }, { timeout: 0, signal: AbortSignal.any([signal, mine.signal]) }).then(
        () => "ended" as const,
        () => "ended" as const,
      );
      // An older hub doesn't end it.
      const old = before;
      if (old !== undefined) setTimeout(() => old.abort(), times.replaced).unref();
      before = mine;
      const outcome = await Promise.race([held, changed.promise.then(() => "changed" as const)]);
      if (outcome === "ended") return;
    }
    before?.abort();
  }

  async function followHubs(): Promise<void> {
    let delay = times.first;
    while (!signal.aborted) {
      if (sessions.length === 0) {
        await Promise.race([changed.promise, gone]);
        continue;
      }
      const began = performance.now();
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(times.find)]);
        const hub = await findHub({ role: "asker", env, hubUrl, tokenFile, signal: limit });
        const ended = Promise.withResolvers<void>();
        next.resolve({ hub, ended: ended.promise });
        await hold(hub);
        next = Promise.withResolvers();
        ended.resolve();
      } catch (error) {
        log("debug", "No hub takes Codex' approvals at the moment", { error: String(error) });
      }
      delay = performance.now() - began > times.longest ? times.first : Math.min(2 * delay, times.longest);
      await pause(delay, undefined, { signal }).catch(() => {});
    }
  }
  void followHubs();

  /** Asks one hub after the other until it replies with a decision; undefined if none does before it is over. */
  async function untilDecided<Decision>(body: object, over: AbortSignal, read: (reply: unknown) => Decision | undefined) {
    const stopped = untilAborted(over);
    while (!over.aborted && !signal.aborted) {
      const connection = await Promise.race([next.promise, stopped, gone]);
      if (connection === undefined) break;
      const reply = await post(connection.hub, body, { timeout: 0, signal: AbortSignal.any([signal, over]) }).catch(() => undefined);
      const decision = read(reply);
      if (decision !== undefined) return decision;
      // Nobody decided, or the hub stopped; the next one asks again.
      await Promise.race([connection.ended, stopped, gone]);
    }
    return undefined;
  }

  /** Tells the hub that is there now, if there is one. */
  async function tell(body: object): Promise<void> {
    const connection = await Promise.race([next.promise, Promise.resolve(undefined)]);
    if (connection === undefined) return;
    await post(connection.hub, body, { signal: AbortSignal.any([signal, AbortSignal.timeout(times.settled)]) }).catch(() => {});
  }

  return {
    async ask(request, over) {
      return untilDecided(eventOf("request", request, await gitPlace(request.cwd)), over, readCodexDecision);
    },
    settled: (request) => tell(eventOf("settled", request)),
    async denied(denial, over) {
      const body = eventOf("denied", denial, await gitPlace(denial.cwd));
      return (await untilDecided(body, over, readOverruled)) === true;
    },
    allowed: (review) => tell(eventOf("allowed", review)),
    refused: (denial, why) => tell({ ...eventOf("refused", denial), why }),
    follows(named) {
      if (named.join() === sessions.join()) return;
      sessions = named;
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}

const eventOf = (type: string, { cwd, ...request }: CodexRequest | CodexDenial, git: object = {}) => ({
  type,
  ...request,
  askbox: { folder: cwd, ...git },
});

function untilAborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
