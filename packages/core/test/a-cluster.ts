import { type Broker, createBroker, memoryStore, type SessionStore, type SharedState } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { sharedMemory } from "@askbox/core/stores";
import { anAsk, anAsker, resumed, testPlatform } from "@askbox/core/testing";
import { type LateNews, withLateNews } from "./late-news.ts";

export const textOnly = () => anAsk({ questions: anAsk().questions.slice(0, 1) });
export const text = (value: string) => ({ answers: [{ questionId: "q_text", values: [value] }] });

export interface Member {
  broker: Broker;
  /** Ends it like SIGKILL: none of its further messages or writes take effect. */
  kill(): void;
  /** Disconnects it from the others and from the store, and back. */
  cutOff(): void;
  rejoin(): void;
}

/** Brokers sharing a store and a clock; with `late`, what one publishes reaches the others late, out of order and twice. */
export async function aCluster(size = 3, late?: LateNews) {
  const store = memoryStore();
  const platform = testPlatform();
  const { clock } = platform;
  const memory = sharedMemory(clock);
  const logged: string[] = [];
  const members: Member[] = [];
  const log = (_level: string, message: string) => void logged.push(message);

  async function start(): Promise<Member> {
    let reach: "all" | "none" | "dead" = "all";
    const away = () => Promise.reject(new Error("away"));
    const shared = memory.open();
    const reachable = <Port extends object>(port: Port): Port =>
      new Proxy(port, {
        get(target, name) {
          const value = Reflect.get(target, name);
          if (typeof value !== "function" || name === "subscribe") return value;
          return (...args: unknown[]) => {
            if (reach === "dead") return new Promise(() => {});
            return reach === "none" ? away() : value.apply(target, args);
          };
        },
      });
    // A dead process's timer never fires, and messages do not reach it.
    const ownClock = {
      ...clock,
      setTimer: (delay: number, callback: () => void) => clock.setTimer(delay, () => reach !== "dead" && callback()),
    };
    const ownShared: SharedState = {
      ...reachable(shared),
      get: (...args) => reachable(shared).get(...args),
      swap: (...args) => reachable(shared).swap(...args),
      take: (...args) => reachable(shared).take(...args),
      publish: (...args) => reachable(shared).publish(...args),
      subscribe: (topic, listener) => shared.subscribe(topic, (message) => reach === "all" && listener(message)),
    };
    const ownStore: SessionStore = Object.assign(Object.create(null), reachable(store), {
      ...Object.fromEntries(Object.keys(store).map((name) => [name, Reflect.get(reachable(store), name)])),
      subscribe: (listener: Parameters<SessionStore["subscribe"]>[0]) => store.subscribe((change) => reach === "all" && listener(change)),
    });
    const own = { store: ownStore, shared: ownShared };
    const news = late === undefined ? own : withLateNews(own, ownClock, { ...late, seed: late.seed + members.length });
    const broker = await createBroker({ ...platform, store: news.store, hubs: severalHubs(news.shared), clock: ownClock, log });
    await clock.advance(0);
    return {
      broker,
      kill: () => {
        reach = "dead";
      },
      cutOff: () => {
        reach = "none";
      },
      rejoin: () => {
        reach = "all";
      },
    };
  }
  for (let count = 0; count < size; count += 1) members.push(await start());
  const [a, b, c] = members as [Member, Member, Member];
  return { a, b, c, clock, store, memory, start, logged };
}

/** Opens a session at a member and waits for it there. */
export async function asked({ broker }: Member, request = textOnly()) {
  const asker = broker.asker("owner-1");
  const { session } = await asker.ask(request, { asker: anAsker(), maxWait: 0, earlier: false });
  const wait = resumed(asker, session.id);
  wait.catch(() => {});
  return { asker, id: session.id, wait };
}
