import { silentLog } from "@askbox/core";
import type { AcpAsk, AcpInbox, Asking, EditorDecision, InboxDecision } from "../src/inbox.ts";
import { Lines, LineWriter } from "../src/lines.ts";
import { Pass, type PassOptions } from "../src/pass.ts";

/** One request in the toy inbox, for the test to decide. */
export interface ToyAsk {
  ask: AcpAsk;
  decide(decision: InboxDecision | undefined): void;
  away(why?: string): void;
  /** Why it was taken back. */
  ended: string | undefined;
  /** What was decided in the editor. */
  decision: EditorDecision | undefined;
  isHeld: boolean;
}

export const allow = { kind: "permission", isAllowed: true } as const;
export const deny = { kind: "permission", isAllowed: false } as const;

/** An inbox whose hub is the test. Taking a request back ends it without a decision, unless the test holds it. */
export function toyInbox() {
  const asks: ToyAsk[] = [];
  const inbox: AcpInbox = {
    ask(ask, onAway): Asking {
      const { promise, resolve } = Promise.withResolvers<InboxDecision | undefined>();
      const toy: ToyAsk = {
        ask,
        decide: resolve,
        away: (why = "No hub is running.") => onAway(why),
        ended: undefined,
        decision: undefined,
        isHeld: true,
      };
      asks.push(toy);
      return {
        decided: promise,
        isHeld: () => toy.isHeld,
        end(reason, decision) {
          toy.ended = reason;
          toy.decision = decision;
        },
        async drop(reason) {
          toy.ended = reason;
          resolve(undefined);
        },
      };
    },
  };
  return { asks, inbox };
}

/** A pass-through with its two ends: what each has received, and how each sends. */
export function toyPass(options: Partial<PassOptions> = {}) {
  const { asks, inbox } = toyInbox();
  const received = { agent: [] as Buffer[], editor: [] as Buffer[] };
  const timers: { after: number; run(): void }[] = [];
  const pass = new Pass({
    toAgent: new LineWriter((bytes) => received.agent.push(Buffer.from(bytes))),
    toEditor: new LineWriter((bytes) => received.editor.push(Buffer.from(bytes))),
    inbox,
    answer: "both",
    after: 0,
    forms: false,
    clock: {
      setTimer(after, run) {
        const timer = { after, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
      },
    },
    log: silentLog,
    cwd: "/work",
    ...options,
  });
  const agent = new Lines(pass.fromAgent);
  const editor = new Lines(pass.fromEditor);
  const bytesOf = (message: unknown) => Buffer.from(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  return {
    pass,
    asks,
    timers,
    fromAgent: (...messages: unknown[]) => messages.forEach((message) => agent.push(bytesOf(message))),
    fromEditor: (...messages: unknown[]) => messages.forEach((message) => editor.push(bytesOf(message))),
    ends: { agent, editor },
    received,
    raw: (side: "agent" | "editor") => received[side].map(String),
    toAgent: () => received.agent.flatMap(parsed),
    toEditor: () => received.editor.flatMap(parsed),
    /** Lets what was decided take effect. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const parsed = (bytes: Buffer) =>
  String(bytes)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

export const options = [
  { optionId: "always", name: "Always allow every echo", kind: "allow_always" },
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "never", name: "Never again", kind: "reject_always" },
  { optionId: "odd", name: "Something else", kind: "later" },
];

export const permission = (id: number | string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "session/request_permission",
  params: {
    sessionId: "s1",
    toolCall: { toolCallId: "c1", title: "npm test", kind: "execute", rawInput: { command: "npm test" } },
    options,
    ...more,
  },
});

export const form = (id: number, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "elicitation/create",
  params: {
    sessionId: "s1",
    mode: "form",
    message: "Which database?",
    requestedSchema: { type: "object", properties: { db: { type: "string", enum: ["pg", "sqlite"] } }, required: ["db"] },
    ...more,
  },
});

export const picked = (id: number | string, optionId: string) => ({
  jsonrpc: "2.0",
  id,
  result: { outcome: { outcome: "selected", optionId } },
});
export const refused = (id: number | string) => ({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
export const notified = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
export const initialize = (id: number, clientCapabilities: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities, clientInfo: { name: "toy", title: "Toy editor", version: "1" } },
});
