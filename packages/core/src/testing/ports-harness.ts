import type { AckOptions, Asker, AskOptions, Handover, ResumeOptions } from "../ports/asker.ts";
import type { Desk } from "../ports/desk.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { Answerer } from "../session/outcome.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import type { ContractCase } from "./contract.ts";
import { anAsk, anAsker, anOutcome } from "./fixtures.ts";

/** A fresh, empty inbox with both ports; local or remote. */
export interface Inbox {
  /** The port of one token's askers. */
  asker(owner?: string): Promise<Asker>;
  /** The port of one answerer. */
  desk(by?: Answerer): Promise<Desk>;
  /** Advances the inbox's clock by `ms` and runs due timers. */
  advance(ms: number): Promise<void>;
  /** Resolves once `condition` holds; rejects if it never does. May poll, or check after each event. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** Options of the inbox that a contract case opens. */
export interface InboxOptions {
  clientForms?: boolean | undefined;
}

/** What a contract suite for `Asker` and `Desk` runs on. */
export interface PortsHarness {
  /** `clientForms`: whether it accepts answers from clients' own forms; default false. */
  open(options?: InboxOptions): Promise<Inbox>;
}

/** A person who answers in the terminal. */
export const ada: Answerer = { surface: "terminal", name: "Ada" };
/** A person who answers in the browser. */
export const bob: Answerer = { surface: "web", name: "Bob" };

/** Valid answers to `anAsk`. */
export const validSet = (overrides: Partial<AnswerSet> = {}): AnswerSet => ({ answers: anOutcome().answers, ...overrides });

/** Asks without waiting and without other outcomes. */
export function ask(asker: Asker, request: Partial<AskRequest> = {}, options: Partial<AskOptions> = {}): Promise<Handover> {
  return asker.ask(anAsk(request), { asker: anAsker(), maxWait: 0, earlier: false, ...options });
}

/** Resumes a session without other outcomes. */
export async function resumed(asker: Asker, id: string, options: ResumeOptions = {}): Promise<SessionRecord> {
  return (await asker.resume(id, { earlier: false, ...options })).session;
}

/** Delivers the session's current outcome. */
export async function deliver(asker: Asker, id: string, options?: AckOptions): Promise<void> {
  await (await asker.resume(id, { maxWait: 0, earlier: false })).ack(options);
}

/** The undelivered outcomes of this asker. */
export async function earlierOf(asker: Asker, info: AskerInfo): Promise<SessionRecord[]> {
  return (await asker.collect(info)).earlier;
}

/** Runs a case on a fresh inbox, and always closes it. */
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
