import type { AboutToRun, ApprovalAsk, ApprovalFollows, ApprovalOver, DeniedCall, FormAsk } from "./approval.ts";
import { type AskContext, aborted, askApproval, askForm, type Caller, decisionOf, keyOf, type Settled } from "./asking.ts";
import type { CardPort, Denials } from "./denials.ts";
import { DecidedAsks, OpenAsks, runOfAsk } from "./open-asks.ts";

export interface ApprovalsOptions extends Pick<AskContext, "platform" | "isWatched"> {
  denials: Pick<Denials, "denied" | "decided" | "through" | "over">;
  /** An allowed request's agent stopped without a report that it ran with the arguments that were shown. */
  onUnreported(sessionId: string): void;
  /** The client did something else than what was decided. */
  onOverruled(sessionId: string, report: string): void;
}

/** Asks people for approval, and keeps what they are asked in step with what happens at the client. */
export interface Approvals {
  /**
   * Asks a person; undefined if nobody decides while the client waits. If the client asks the same in two ways at once, both get the same
   * decision. Throws what `Asker.ask` throws.
   */
  ask(caller: Caller, request: ApprovalAsk | FormAsk): Promise<Settled | undefined>;
  /**
   * Shows people a call that was denied. Resolves with the response if somebody overrules it within `hold` ms, while the client waits; otherwise
   * with undefined. Throws what `Asker.ask` throws.
   */
  denied(caller: Caller & { card(): CardPort }, call: DeniedCall, hold: number): Promise<Settled | undefined>;
  /** The response to a call that a person has let through once; undefined for any other. Of two equal ones, one gets it. */
  through(caller: Pick<Caller, "owner" | "source">, call: AboutToRun): Promise<unknown>;
  /** Ends requests that the client has decided on its own. Returns whether it was asked about: otherwise, what ran did so without a person. */
  over(caller: Pick<Caller, "owner" | "source">, over: ApprovalOver): boolean;
  /** Follows conversations until the signal aborts or the same follower comes again. */
  follow(owner: string, follows: ApprovalFollows, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function createApprovals({ onUnreported, onOverruled, denials, ...options }: ApprovalsOptions): Approvals {
  const context: AskContext = { ...options, open: new OpenAsks(), decided: new DecidedAsks() };
  const { open, decided } = context;
  const followed = new FollowedConversations();
  /** Whether a person has allowed exactly this call, which it now uses up. What then runs is compared with it. */
  const isOverruled = async ({ owner, source }: Pick<Caller, "owner" | "source">, about: Omit<AboutToRun, "kind" | "through">) => {
    const found = await denials.through(owner, source.client, about);
    if (found === undefined) return false;
    const { agentId, run, reportedAs = run } = found.call;
    const key = keyOf(owner, about.conversation);
    decided.add(key, { run: reportedAs, isExpected: source.ran !== undefined, agentId, sessionId: found.sessionId });
    return true;
  };
  return {
    async ask(caller, request) {
      if (request.kind === "ask" && (await isOverruled(caller, { ...request, ask: () => request })))
        return { reply: caller.source.reply(request, { kind: "allow" }), ack: async () => {} };
      // It comes in the other way as well, once the client opens its own prompt.
      if (request.isHidden && followed.has(keyOf(caller.owner, request.conversation))) return undefined;
      return request.kind === "form" ? askForm(context, caller, request) : askApproval(context, caller, request);
    },
    async denied({ owner, asker, card, source, signal }, call, hold) {
      const id = await denials.denied(card(), owner, source.client, call);
      if (call.settled !== undefined) {
        const isOverruled = await denials.decided(id, signal);
        if (isOverruled === undefined) return undefined;
        if (isOverruled)
          decided.add(keyOf(owner, call.conversation), { run: call.run, isExpected: false, agentId: call.agentId, sessionId: id });
        return { reply: call.settled(isOverruled), ack: async () => {} };
      }
      if (hold === 0 || call.retry === undefined) return undefined;
      const { session, ack } = await asker.resume(id, { maxWait: hold, signal, earlier: false });
      return decisionOf(session)?.kind === "allow" ? { reply: call.retry, ack } : undefined;
    },
    through: async (caller, call) => ((await isOverruled(caller, call)) ? call.through : undefined),
    over({ owner, source }, over) {
      const { conversation, run, isRun = false, report, reason, isWhole, isIdle = false, agentId } = over;
      const key = keyOf(owner, conversation);
      void denials.over(owner, source.client, over);
      if (run === undefined) {
        const isOver = (each: { agentId: string | undefined }) => isWhole || each.agentId === agentId;
        for (const { sessionId, isExpected } of decided.take(key, isOver)) if (isExpected) onUnreported(sessionId);
        for (const ask of open.in(key)) if (isOver(ask.request) || (isIdle && ask.request.kind === "form")) ask.over(reason);
        return true;
      }
      // Of equal ones, one ran: rather an allowed one than a pending one.
      const equal = decided.in(key).filter((each) => each.run === run);
      const expected = isRun ? equal.find(({ isExpected }) => isExpected) : undefined;
      if (expected !== undefined) return decided.take(key, (each) => each === expected).length > 0;
      const pending = open.in(key).find(({ request }) => runOfAsk(request) === run);
      pending?.over(reason, over);
      if (pending !== undefined) return true;
      const [earlier] = equal;
      if (over.yields === true && (earlier === undefined || earlier.isLeft)) {
        open.overEarly(key, over);
        return true;
      }
      if (earlier === undefined || report === undefined) return false;
      decided.take(key, (each) => each === earlier);
      if (!earlier.isLeft) onOverruled(earlier.sessionId, report);
      return true;
    },
    async follow(owner, { conversations, follower }, signal) {
      const keys = conversations.map((conversation) => keyOf(owner, conversation));
      // Asked before they were followed: they come again in the other way as soon as the client opens its own prompt.
      for (const ask of keys.flatMap((key) => open.in(key))) if (ask.request.isHidden) ask.over("It is asked again with its own prompt.");
      const { replaced, unfollow } = followed.follow(keys, follower && keyOf(owner, follower));
      await aborted(AbortSignal.any([signal, replaced]));
      unfollow();
    },
    close: () => open.close(),
  };
}

/** Conversations whose asks come in another way as well, counted by the requests that follow them. */
class FollowedConversations {
  readonly #counts = new Map<string, number>();
  /** Replaces the request that a follower holds. */
  readonly #followers = new Map<string, AbortController>();

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  /** Follows until `unfollow`. `replaced` aborts when the same follower comes again. */
  follow(keys: readonly string[], follower: string | undefined): { replaced: AbortSignal; unfollow(): void } {
    this.#count(keys, 1);
    const mine = new AbortController();
    if (follower !== undefined) {
      this.#followers.get(follower)?.abort();
      this.#followers.set(follower, mine);
    }
    return {
      replaced: mine.signal,
      unfollow: () => {
        this.#count(keys, -1);
        if (follower !== undefined && this.#followers.get(follower) === mine) this.#followers.delete(follower);
      },
    };
  }

  #count(keys: readonly string[], by: number): void {
    for (const key of keys) {
      const next = (this.#counts.get(key) ?? 0) + by;
      if (next > 0) this.#counts.set(key, next);
      else this.#counts.delete(key);
    }
  }
}
