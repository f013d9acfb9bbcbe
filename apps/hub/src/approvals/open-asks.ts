import type { FormAsk, PermissionAsk, PermissionDecision, PermissionFollows, PermissionOver } from "@askbox/clients";

/** A decision, and what records that it was delivered. */
export interface Decided {
  decision: PermissionDecision;
  ack(): Promise<void>;
}

/** How a request ended: by a decision, `over` at its client, or undefined without either. */
export type AskEnd = Decided | "over" | undefined;

interface OpenAsk {
  event: PermissionAsk | FormAsk;
  ended: Promise<AskEnd>;
  end(reason: string): void;
  /** Whether the other of hook and prompt tool waits for it as well. */
  isShared: boolean;
}

/** A decided request about which its client may still report. */
interface DecidedAsk {
  run: string;
  agentId: string | undefined;
  sessionId: string;
  /** Whether the client must report that it ran. */
  isExpected: boolean;
}

/** The maximum number of conversations, and of requests in each, about which a report may come. */
const maxDecided = 100;

export interface OpenAsksOptions {
  /** An allowed request's agent stopped without a report that it ran with the arguments that were shown. */
  onUnreported(sessionId: string): void;
  /** The client did something else than what was decided. */
  onOverruled(sessionId: string, report: string): void;
}

/** Pending permission requests, and decided ones about which a report may come, by asker and conversation. */
export class OpenAsks {
  readonly #asks = new Map<string, Set<OpenAsk>>();
  /** How many requests follow a conversation. */
  readonly #followed = new Map<string, number>();
  /** Replaces the request that a follower holds. */
  readonly #followers = new Map<string, AbortController>();
  readonly #decided = new Map<string, DecidedAsk[]>();
  readonly #options: OpenAsksOptions;

  constructor(options: OpenAsksOptions) {
    this.#options = options;
  }

  decided(owner: string, conversation: string, ask: DecidedAsk): void {
    const key = keyOf(owner, { conversation });
    const others = this.#decided.get(key) ?? [];
    // The one that was used last is the last to go.
    this.#decided.delete(key);
    this.#decided.set(key, [...others, ask].slice(-maxDecided));
    const [oldest] = this.#decided.keys();
    if (this.#decided.size > maxDecided && oldest !== undefined) this.#decided.delete(oldest);
  }

  /** `forget` removes it. */
  add(owner: string, event: OpenAsk["event"], ended: Promise<AskEnd>, end: OpenAsk["end"]): { forget(): void; isShared(): boolean } {
    const key = keyOf(owner, event);
    const ask = { event, ended, end, isShared: false };
    const asks = this.#asks.get(key) ?? new Set();
    this.#asks.set(key, asks.add(ask));
    return {
      forget: () => {
        asks.delete(ask);
        if (asks.size === 0 && this.#asks.get(key) === asks) this.#asks.delete(key);
      },
      isShared: () => ask.isShared,
    };
  }

  /** The result of the same request through the other of hook and prompt tool, which waits for it from now on; undefined if none is open. */
  twin(owner: string, event: PermissionAsk): Promise<AskEnd> | undefined {
    const asks = [...(this.#asks.get(keyOf(owner, event)) ?? [])];
    const found = asks.filter((ask) => !ask.isShared && ask.event.kind === "ask" && isTwin(ask.event, event));
    // Calls of the prompt tool don't name their agent. If several agents ask the same, one of them is not taken for another.
    const twin = new Set(found.map((ask) => ask.event.agentId)).size > 1 ? undefined : found[0];
    if (twin !== undefined) twin.isShared = true;
    return twin?.ended;
  }

  /** Conversations that are followed until the returned function is called. */
  follow(owner: string, { conversations, follower }: PermissionFollows): { replaced: AbortSignal; unfollow(): void } {
    const keys = conversations.map((conversation) => keyOf(owner, { conversation }));
    const count = (step: number) => {
      for (const key of keys) {
        const next = (this.#followed.get(key) ?? 0) + step;
        if (next > 0) this.#followed.set(key, next);
        else this.#followed.delete(key);
      }
    };
    count(1);
    // Asked before they were followed: they come again in the other way as soon as the client opens its own prompt.
    for (const key of keys)
      for (const { event, end } of [...(this.#asks.get(key) ?? [])]) if (event.isHidden) end("It is asked again with its own prompt.");
    const name = JSON.stringify([owner, follower]);
    const replaced = new AbortController();
    if (follower !== undefined) {
      this.#followers.get(name)?.abort();
      this.#followers.set(name, replaced);
    }
    return {
      replaced: replaced.signal,
      unfollow: () => {
        count(-1);
        if (this.#followers.get(name) === replaced) this.#followers.delete(name);
      },
    };
  }

  /** Whether the ask comes in another way as well, once its client opens its own prompt. */
  isFollowed(owner: string, event: OpenAsk["event"]): boolean {
    return event.isHidden && this.#followed.has(keyOf(owner, event));
  }

  /** Ends requests that the client has decided on its own. Of equal ones, one ran: rather an allowed one than a pending one. */
  end(owner: string, over: PermissionOver): void {
    const key = keyOf(owner, over);
    const open = [...(this.#asks.get(key) ?? [])];
    const { run, isRun = false, report, reason, isWhole, isIdle = false, agentId } = over;
    if (run === undefined) {
      const isOver = (each: { agentId: string | undefined }) => isWhole || each.agentId === agentId;
      for (const { sessionId, isExpected } of this.#remove(key, isOver)) if (isExpected) this.#options.onUnreported(sessionId);
      for (const { event, end } of open) if (isOver(event) || (isIdle && event.kind === "form")) end(reason);
      return;
    }
    const decided = this.#decided.get(key)?.filter((each) => each.run === run) ?? [];
    const expected = isRun ? decided.find(({ isExpected }) => isExpected) : undefined;
    if (expected !== undefined) return void this.#remove(key, (each) => each === expected);
    const pending = open.find(({ event }) => event.kind === "ask" && (event.reportedAs ?? event.run) === run);
    if (pending !== undefined) return pending.end(reason);
    const [overruled] = decided;
    if (overruled === undefined || report === undefined) return;
    this.#remove(key, (each) => each === overruled);
    this.#options.onOverruled(overruled.sessionId, report);
  }

  #remove(key: string, isRemoved: (ask: DecidedAsk) => boolean): DecidedAsk[] {
    const all = this.#decided.get(key) ?? [];
    const left = all.filter((ask) => !isRemoved(ask));
    if (left.length === 0) this.#decided.delete(key);
    else this.#decided.set(key, left);
    return all.filter(isRemoved);
  }

  close(): void {
    for (const asks of [...this.#asks.values()]) for (const { end } of [...asks]) end("The hub is closing.");
  }
}

/** Whether hook and prompt tool may ask about the same call: with equal arguments, in the same folder, for no other agent. */
function isTwin(one: PermissionAsk, other: PermissionAsk): boolean {
  if (one.run !== other.run || one.cwd !== other.cwd || one.isPromptTool === other.isPromptTool) return false;
  const [prompt, hook] = one.isPromptTool ? [one, other] : [other, one];
  return prompt.agentId === undefined || prompt.agentId === hook.agentId;
}

const keyOf = (owner: string, { conversation }: { conversation: string }) => JSON.stringify([owner, conversation]);
