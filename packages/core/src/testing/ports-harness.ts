import type { Asker, Opened, OpenOptions } from "../ports/asker.ts";
import type { Desk } from "../ports/desk.ts";
import type { Answerer } from "../session/actor.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { AskRequest } from "../session/record.ts";
import type { ContractCase } from "./contract.ts";
import { anAsk, anAsker, anOutcome } from "./fixtures.ts";

/** A fresh, empty inbox with both its ports; local or behind a connection. */
export interface Inbox {
  /** The port of one token's askers. */
  asker(owner?: string): Promise<Asker>;
  /** The port of one answerer. */
  desk(by?: Answerer): Promise<Desk>;
  /** Moves the inbox's clock on by `ms` and lets what falls due happen. */
  advance(ms: number): Promise<void>;
  /** Resolves once `condition` holds; rejects if it never does. May look again and again, or as things happen. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export interface InboxOptions {
  clientForms?: boolean;
}

/** What a contract suite for `Asker` and `Desk` runs on. */
export interface PortsHarness {
  /** `clientForms`: whether it takes answers from clients' own forms; default false. */
  open(options?: InboxOptions): Promise<Inbox>;
}

export const ada: Answerer = { surface: "terminal", name: "Ada" };
export const bob: Answerer = { surface: "web", name: "Bob" };

/** Valid answers to `anAsk`. */
export const validSet = (overrides: Partial<AnswerSet> = {}): AnswerSet => ({ answers: anOutcome().answers, ...overrides });

export function ask(asker: Asker, request: Partial<AskRequest> = {}, options: Partial<OpenOptions> = {}): Promise<Opened> {
  return asker.open(anAsk(request), { asker: anAsker(), ...options });
}

/** Runs a case on a fresh inbox and closes it whatever happens. */
export async function onInbox(harness: PortsHarness, run: (inbox: Inbox) => Promise<void>, options?: InboxOptions): Promise<void> {
  const inbox = await harness.open(options);
  try {
    await run(inbox);
  } finally {
    await inbox.close();
  }
}

/** A case on a fresh inbox. */
export const portsCase = (name: string, run: (inbox: Inbox) => Promise<void>, options?: InboxOptions): ContractCase<PortsHarness> => ({
  name,
  run: (harness) => onInbox(harness, run, options),
});
