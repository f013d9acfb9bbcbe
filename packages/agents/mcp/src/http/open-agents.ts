/** Agents with requests in progress. One may have several; agents without a session count by their requests. */
export class OpenAgents {
  readonly #onCount: ((count: number) => void) | undefined;
  readonly #open = new Map<unknown, number>();

  constructor(onCount: ((count: number) => void) | undefined) {
    this.#onCount = onCount;
  }

  /** Counts the agent until the work ends. */
  async during<Result>(agent: unknown, work: Promise<Result>): Promise<Result> {
    this.#add(agent, 1);
    try {
      return await work;
    } finally {
      this.#add(agent, -1);
    }
  }

  #add(agent: unknown, change: 1 | -1): void {
    const before = this.#open.size;
    const things = (this.#open.get(agent) ?? 0) + change;
    if (things > 0) this.#open.set(agent, things);
    else this.#open.delete(agent);
    if (this.#open.size !== before) this.#onCount?.(this.#open.size);
  }
}
