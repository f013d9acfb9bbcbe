import type { PermissionAsk, PermissionDecision, PermissionOver } from "@askbox/clients";

/** How a request ended: by a decision, `over` at its client, or undefined without either. */
export type AskEnd = PermissionDecision | "over" | undefined;

interface OpenAsk {
  event: PermissionAsk;
  ended: Promise<AskEnd>;
  end(reason: string): void;
}

/** Pending permission requests, by asker and conversation. */
export class OpenAsks {
  readonly #asks = new Map<string, Set<OpenAsk>>();

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

  /** Ends requests that the client has decided on its own. Of equal pending ones, one ran. */
  end(owner: string, over: PermissionOver): void {
    for (const { event, end } of [...(this.#asks.get(keyOf(owner, over)) ?? [])]) {
      if (over.run !== undefined) {
        if (event.run !== over.run) continue;
        return end(over.reason);
      }
      if (over.isWhole || event.agentId === over.agentId) end(over.reason);
    }
  }

  close(): void {
    for (const asks of [...this.#asks.values()]) for (const { end } of [...asks]) end("The hub is closing.");
  }
}

const keyOf = (owner: string, { conversation }: { conversation: string }) => JSON.stringify([owner, conversation]);
