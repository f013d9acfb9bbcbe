/** Agents with something under way. One may have several things; those without a session count by what they do. */
export class OpenAgents {
  readonly #onCount: ((count: number) => void) | undefined;
  readonly #open = new Map<unknown, number>();

  constructor(onCount: ((count: number) => void) | undefined) {
    this.#onCount = onCount;
  }

  /** Counts the agent for as long as the work takes. */
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
