/** Conversations whose asks come in another way as well, counted by the requests that follow them. */
export class FollowedConversations {
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
