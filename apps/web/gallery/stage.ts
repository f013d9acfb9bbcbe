import {
  AskboxError,
  type AskerInfo,
  type AskInput,
  type AskRequest,
  type Broker,
  createBroker,
  memoryStore,
  parseAsk,
  type SessionView,
} from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import { type FakeClock, testPlatform } from "@askbox/core/testing";
import { type AnswerForm, type Askbox, createAskbox } from "@askbox/inbox";

/** The page's own broker with a stopped clock, and a surface on it. */
export interface Stage {
  askbox: Askbox;
  broker: Broker;
  clock: FakeClock;
  ask(input: AskInput): Promise<Asked>;
  /** Asks without validation, such as a type that only a newer askbox knows. */
  askAsIs(request: AskRequest): Promise<Asked>;
  view(id: string): Promise<SessionView>;
  /** Makes the next answer fail with this message. */
  failNext(message: string): void;
}

interface Asked {
  id: string;
  form: AnswerForm;
}

const asker = {
  client: { name: "claude-code", version: "2.1.0" },
  project: "/home/ada/storefront",
  branch: "checkout-v2",
  agentId: "main",
};

/** `who` differs from the usual asker. */
export async function createStage(who: Partial<AskerInfo> = {}, { keepsRan = true } = {}): Promise<Stage> {
  const platform = testPlatform({ now: Date.UTC(2026, 10, 18, 14, 42) });
  const { clock } = platform;
  const ran = keepsRan ? keptRan(sharedMemory(clock).open(), { now: () => clock.now(), keep: 7 * 86_400_000 }) : undefined;
  const broker = await createBroker({ ...platform, store: memoryStore(), ran, files: async (_session, answers) => answers });
  let failure: string | undefined;
  const own = broker.desk({ surface: "web", name: "Firefox on Linux" });
  const answer: typeof own.answer = async (...args) => {
    const message = failure;
    failure = undefined;
    if (message !== undefined) throw new AskboxError("INTERNAL", message);
    return own.answer(...args);
  };
  const desk = new Proxy(own, {
    get: (target, name) => {
      const member: unknown = name === "answer" ? answer : Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const askbox = createAskbox({ desk, clock });
  const { inbox, forms } = askbox;
  inbox.start();
  const agents = broker.asker("agents");
  const view = (id: string) => desk.get(id);
  const askAsIs = async (request: AskRequest) => {
    const { session } = await agents.ask(request, { asker: { ...asker, ...who }, key: platform.ids.session(), maxWait: 0, earlier: false });
    const shown = await view(session.id);
    inbox.accept(shown);
    return { id: session.id, form: forms.of(shown) };
  };
  return {
    askbox,
    broker,
    clock,
    view,
    failNext(message) {
      failure = message;
    },
    askAsIs,
    ask: (input) => askAsIs(parseAsk(input, { ids: platform.ids })),
  };
}
