import type { ApprovalAsk, ApprovalOver, DecidedThere, Decision, FormAsk } from "./approval.ts";

/**
 * What is known of approvals while they matter: those a person is being asked (`OpenAsks`), and those that were decided, until their client
 * reports what it did (`DecidedAsks`).
 */

/** A decision, and what records that it was delivered. */
export interface Decided {
  decision: Decision;
  ack(): Promise<void>;
}

/** How a request ended: by a decision, `over` at its client, or undefined without either. */
type AskEnd = Decided | "over" | undefined;

/** A request that a person is asked. */
export class OpenAsk {
  readonly request: ApprovalAsk | FormAsk;
  /** Whether the other of hook and prompt tool waits for it as well. */
  isShared = false;
  /** Why it is withdrawn, if nobody decides. */
  reason: string;
  /** Whether a decision that a person made before it was over at its client still counts. */
  yields = false;
  /** What was decided at its client. */
  decided: DecidedThere | undefined;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<AskEnd>();
  /** Whether it was decided at its client. */
  isOver = false;

  constructor(request: ApprovalAsk | FormAsk, reason: string) {
    this.request = request;
    this.reason = reason;
  }

  /** Aborts when an answer would be useless. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get ended(): Promise<AskEnd> {
    return this.#ended.promise;
  }

  stop(reason: string): void {
    this.reason = reason;
    this.#stop.abort();
  }

  /** Stops it because it is over at its client. */
  over(reason: string, { yields = false, decided }: Pick<ApprovalOver, "yields" | "decided"> = {}): void {
    this.isOver = true;
    this.yields = yields;
    this.decided = decided;
    this.stop(reason);
  }

  finish(decided: Decided | undefined): void {
    this.#ended.resolve(decided ?? (this.isOver ? "over" : undefined));
  }
}

/** What a client later reports about a request. */
export const runOfAsk = (request: ApprovalAsk | FormAsk): string | undefined =>
  request.kind === "ask" ? (request.reportedAs ?? request.run) : request.run;

/** The most ends that are remembered because they came before their request. */
const maxEarly = 100;

/** The requests that people are asked, by asker and conversation. */
export class OpenAsks {
  readonly #asks = new Map<string, Set<OpenAsk>>();
  /** Ends that overtook their request, by asker, conversation and run. */
  readonly #early = new Map<string, ApprovalOver>();

  add(key: string, ask: OpenAsk): void {
    this.#asks.set(key, (this.#asks.get(key) ?? new Set()).add(ask));
    const name = JSON.stringify([key, runOfAsk(ask.request)]);
    const early = this.#early.get(name);
    if (early === undefined) return;
    this.#early.delete(name);
    ask.over(early.reason, early);
  }

  /** Ends a request that is still on its way. */
  overEarly(key: string, over: ApprovalOver): void {
    this.#early.set(JSON.stringify([key, over.run]), over);
    const [oldest] = this.#early.keys();
    if (this.#early.size > maxEarly && oldest !== undefined) this.#early.delete(oldest);
  }

  remove(key: string, ask: OpenAsk): void {
    const asks = this.#asks.get(key);
    asks?.delete(ask);
    if (asks?.size === 0) this.#asks.delete(key);
  }

  in(key: string): OpenAsk[] {
    return [...(this.#asks.get(key) ?? [])];
  }

  /** The same request through the other of hook and prompt tool, which waits for it from now on; undefined if none is open. */
  share(key: string, request: ApprovalAsk): OpenAsk | undefined {
    const found = this.in(key).filter((ask) => !ask.isShared && ask.request.kind === "ask" && isTwin(ask.request, request));
    // Calls of the prompt tool don't name their agent. If several agents ask the same, one of them is not taken for another.
    const twin = new Set(found.map((ask) => ask.request.agentId)).size > 1 ? undefined : found[0];
    if (twin !== undefined) twin.isShared = true;
    return twin;
  }

  close(): void {
    for (const asks of [...this.#asks.values()]) for (const ask of [...asks]) ask.over("The hub is closing.");
  }
}

/** Whether hook and prompt tool may ask about the same call: with equal arguments, in the same folder, for no other agent. */
function isTwin(one: ApprovalAsk, other: ApprovalAsk): boolean {
  if (one.run !== other.run || one.cwd !== other.cwd || one.isPromptTool === other.isPromptTool) return false;
  const [prompt, hook] = one.isPromptTool ? [one, other] : [other, one];
  return prompt.agentId === undefined || prompt.agentId === hook.agentId;
}

/** A decided request about which its client may still report. */
export interface DecidedAsk {
  run: string;
  agentId: string | undefined;
  sessionId: string;
  /** Whether the client must report that it ran. */
  isExpected: boolean;
  /** Whether nobody decided, and it was left to the person at the client. */
  isLeft?: boolean;
}

/** The maximum number of conversations, and of requests in each, about which a report may come. */
const maxDecided = 100;

/** Decided requests, by asker and conversation. */
export class DecidedAsks {
  readonly #asks = new Map<string, DecidedAsk[]>();

  add(key: string, ask: DecidedAsk): void {
    const others = this.in(key);
    // The one that was used last is the last to go.
    this.#asks.delete(key);
    this.#asks.set(key, [...others, ask].slice(-maxDecided));
    const [oldest] = this.#asks.keys();
    if (this.#asks.size > maxDecided && oldest !== undefined) this.#asks.delete(oldest);
  }

  in(key: string): readonly DecidedAsk[] {
    return this.#asks.get(key) ?? [];
  }

  /** Removes and returns those for which the condition holds. */
  take(key: string, isTaken: (ask: DecidedAsk) => boolean): DecidedAsk[] {
    const all = this.in(key);
    const left = all.filter((ask) => !isTaken(ask));
    if (left.length === 0) this.#asks.delete(key);
    else this.#asks.set(key, left);
    return all.filter(isTaken);
  }
}
