import type { PermissionAsk, PermissionDecision, PermissionFollows, PermissionOver } from "@askbox/clients";

/** How a request ended: by a decision, `over` at its client, or undefined without either. */
export type AskEnd = PermissionDecision | "over" | undefined;

interface OpenAsk {
  event: PermissionAsk;
  ended: Promise<AskEnd>;
  end(reason: string): void;
}

/** An allowed request whose client has not reported yet that it ran. */
interface AllowedAsk {
  run: string;
  agentId: string | undefined;
  sessionId: string;
}

/** The maximum number of conversations, and of requests in each, of which a report is expected. */
const maxExpected = 100;

/** Pending permission requests, and allowed ones of which a report is expected, by asker and conversation. */
export class OpenAsks {
  readonly #asks = new Map<string, Set<OpenAsk>>();
  /** How many requests follow a conversation. */
  readonly #followed = new Map<string, number>();
  readonly #allowed = new Map<string, AllowedAsk[]>();
  readonly #onUnreported: (sessionId: string) => void;

  /** `onUnreported` is called for an allowed request when its agent stops without a report that it ran with the arguments that were shown. */
  constructor(onUnreported: (sessionId: string) => void) {
    this.#onUnreported = onUnreported;
  }

  /** Expects a report. */
  expect(owner: string, conversation: string, allowed: AllowedAsk): void {
    const key = keyOf(owner, { conversation });
    const others = this.#allowed.get(key) ?? [];
    // The one that was used last is the last to go.
    this.#allowed.delete(key);
    this.#allowed.set(key, [...others, allowed].slice(-maxExpected));
    const [oldest] = this.#allowed.keys();
    if (this.#allowed.size > maxExpected && oldest !== undefined) this.#allowed.delete(oldest);
  }

  /** Returns a function that removes it. */
  add(owner: string, event: PermissionAsk, ended: Promise<AskEnd>, end: (reason: string) => void): () => void {
    const key = keyOf(owner, event);
    const ask = { event, ended, end };
    const asks = this.#asks.get(key) ?? new Set();
    this.#asks.set(key, asks.add(ask));
    return () => {
      asks.delete(ask);
      if (asks.size === 0 && this.#asks.get(key) === asks) this.#asks.delete(key);
    };
  }

  /** The result of the same request through the other of hook and prompt tool; undefined if none is open. */
  twin(owner: string, event: PermissionAsk): Promise<AskEnd> | undefined {
    const asks = [...(this.#asks.get(keyOf(owner, event)) ?? [])];
    return asks.find(({ event: { run, isPromptTool } }) => run === event.run && isPromptTool !== event.isPromptTool)?.ended;
  }

  /** Conversations that are followed until the returned function is called. */
  follow(owner: string, { conversations }: PermissionFollows): () => void {
    const keys = conversations.map((conversation) => keyOf(owner, { conversation }));
    const count = (step: number) => {
      for (const key of keys) {
        const next = (this.#followed.get(key) ?? 0) + step;
        if (next > 0) this.#followed.set(key, next);
        else this.#followed.delete(key);
      }
    };
    count(1);
    return () => count(-1);
  }

  /** Whether the ask comes in another way as well, once its client opens its own prompt. */
  isFollowed(owner: string, event: PermissionAsk): boolean {
    return event.isHidden && this.#followed.has(keyOf(owner, event));
  }

  /** Ends requests that the client has decided on its own. Of equal pending ones, one ran. */
  end(owner: string, over: PermissionOver): void {
    this.#compare(keyOf(owner, over), over);
    for (const { event, end } of [...(this.#asks.get(keyOf(owner, over)) ?? [])]) {
      if (over.run !== undefined) {
        if (event.run !== over.run) continue;
        return end(over.reason);
      }
      if (over.isWhole || event.agentId === over.agentId) end(over.reason);
    }
  }

  #compare(key: string, { run, isWhole, agentId }: PermissionOver): void {
    const allowed = this.#allowed.get(key) ?? [];
    const reported = allowed.findIndex((each) => each.run === run);
    const isOver = (each: AllowedAsk) => isWhole || each.agentId === agentId;
    const left = run === undefined ? allowed.filter((each) => !isOver(each)) : allowed.filter((_, index) => index !== reported);
    if (left.length === 0) this.#allowed.delete(key);
    else this.#allowed.set(key, left);
    if (run === undefined) for (const each of allowed.filter(isOver)) this.#onUnreported(each.sessionId);
  }

  close(): void {
    for (const asks of [...this.#asks.values()]) for (const { end } of [...asks]) end("The hub is closing.");
  }
}

const keyOf = (owner: string, { conversation }: { conversation: string }) => JSON.stringify([owner, conversation]);
