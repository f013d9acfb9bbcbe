import type { SessionView } from "@askbox/core";
import { afterEach, beforeEach } from "vitest";
import { startHub, type TestHub } from "./hub.ts";
import { type TerminalOptions, type Terminals, type TestTerminal, terminals } from "./terminal.ts";

export const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

export interface TestInbox {
  hub: TestHub;
  /** Opens the terminal inbox. */
  open(options?: TerminalOptions): TestTerminal;
  /** The session as stored by the hub. */
  session(id: string): Promise<SessionView>;
  /** Resolves once it is settled. */
  settled(id: string): Promise<SessionView>;
  /** The values, the text of Other and the note of each answer. */
  answers(id: string): Promise<unknown[]>;
}

/** A hub and its terminals for each test of a file. */
export function inboxForEachTest(): TestInbox {
  let hub: TestHub;
  let opened: Terminals;
  beforeEach(async () => {
    hub = await startHub();
    opened = terminals();
  });
  afterEach(async () => {
    await opened.close();
    await hub.close();
  });
  const session = (id: string) => hub.desk("api").get(id);
  const settled = (id: string) =>
    new Promise<SessionView>((resolve, reject) => {
      const desk = hub.desk("api");
      desk
        .watch({}, (event) => {
          if (event.type === "session" && event.session.id === id && event.session.status !== "pending") resolve(event.session);
        })
        .then(() => desk.get(id))
        .then((present) => present.status !== "pending" && resolve(present), reject);
    });
  return {
    get hub() {
      return hub;
    },
    open: (options = {}) => opened.open({ ...options, env: { ...hub.env, ...options.env } }),
    session,
    settled,
    async answers(id) {
      const { outcome } = await settled(id);
      if (outcome?.kind !== "answered") throw new Error(`It was ${outcome?.kind}, not answered.`);
      return outcome.answers.map(({ questionId: _, ...answer }) => answer);
    },
  };
}
