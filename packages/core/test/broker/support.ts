import { type Broker, type BrokerOptions, createBroker, type LogLevel, memoryStore, type SessionStore } from "@askbox/core";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";

export const textOnly = (overrides = {}) => anAsk({ questions: anAsk().questions.slice(0, 1), ...overrides });
export const text = (value = "lathe") => ({ answers: [{ questionId: "q_text", values: [value] }] });

/** A broker on a memory store, parts of which a test may replace, with its log. */
export async function aHub(change: (store: SessionStore) => Partial<SessionStore> = () => ({}), options: Partial<BrokerOptions> = {}) {
  const memory = memoryStore();
  const store: SessionStore = { ...memory, ...change(memory) };
  const platform = testPlatform();
  const logged: [LogLevel, string, Record<string, unknown> | undefined][] = [];
  const broker: Broker = await createBroker({
    store,
    ...platform,
    log: (level, message, data) => void logged.push([level, message, data]),
    ...options,
  });
  const asker = broker.asker("owner-1");
  const desk = broker.desk({ surface: "terminal", name: "Ada" });
  return {
    asker,
    broker,
    desk,
    logged,
    platform,
    store: memory,
    clock: platform.clock,
    /** Asks without waiting. */
    opened: async (request = textOnly(), more: { key?: string; agentId?: string } = {}) => {
      const { key, ...who } = more;
      return asker.ask(request, { asker: anAsker(who), key, maxWait: 0, earlier: false });
    },
  };
}

/** A signal that is aborted by hand, and counts its listeners. */
export function aSignal() {
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_type: "abort", listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: "abort", listener: () => void) => void listeners.delete(listener),
  };
  return {
    signal,
    listening: () => listeners.size,
    abort() {
      signal.aborted = true;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** A switch for a store that fails once it is on. */
export function aSwitch() {
  let isOn = false;
  return {
    turnOn: () => {
      isOn = true;
    },
    turnOff: () => {
      isOn = false;
    },
    /** Rejects like a full store once switched on; otherwise does the work. */
    orElse: <Result>(work: () => Promise<Result>): Promise<Result> => (isOn ? Promise.reject(new Error("disk full")) : work()),
  };
}
