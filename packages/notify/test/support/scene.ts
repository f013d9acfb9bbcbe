import { type Asker, type AskRequest, createBroker, type Desk, type LogLevel, memoryStore } from "@askbox/core";
import { anAsk, anAsker, type FakeClock, testPlatform, validSet } from "@askbox/core/testing";
import { onTestFinished } from "vitest";
import { type Attention, type AttentionOptions, startAttention } from "../../src/index.ts";
import { type Reaction, type RecordingRunner, recordingRunner } from "./recording-runner.ts";

export interface Logged {
  level: LogLevel;
  message: string;
  data: Record<string, unknown> | undefined;
}

export interface Scene extends RecordingRunner {
  clock: FakeClock;
  asker: Asker;
  desk: Desk;
  attention: Attention;
  log: Logged[];
  warnings(): string[];
  /** Whether a surface is connected. */
  somebody: { there: boolean };
  links: number;
  /** Asks, and returns the session's id. */
  ask(request?: Partial<AskRequest>, project?: string, client?: string): Promise<string>;
  answer(id: string): Promise<void>;
  /** Advances the clock until the batch has been sent. */
  batchLeaves(): Promise<void>;
  /** Attention as another hub on the same inbox would start it. */
  startAgain(options?: Partial<AttentionOptions>): Promise<Attention>;
}

/** A real broker with a fake clock, and attention for it; processes are recorded instead of run, unless a runner is passed. */
export async function scene(
  options: Partial<AttentionOptions> & { react?: (request: Parameters<RecordingRunner["run"]>[0]) => Reaction | undefined } = {},
): Promise<Scene> {
  const { react, ...overrides } = options;
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const asker = broker.asker("owner");
  const desk = broker.desk({ surface: "cli" });
  const recorder = recordingRunner(react);
  const log: Logged[] = [];
  let asks = 0;
  const base: AttentionOptions = {
    desk,
    mode: "notify",
    settings: {},
    isSomebodyThere: () => made.somebody.there,
    inboxLink: async () => {
      made.links += 1;
      return `http://127.0.0.1:4141/login?once=${made.links}&to=inbox`;
    },
    askboxCommand: ["/opt/node", "/opt/askbox.js"],
    env: { PATH: "/usr/bin", DISPLAY: ":0" },
    platform: "linux",
    clock: platform.clock,
    log: (level, message, data) => log.push({ level, message, data }),
    run: recorder.run,
    ...overrides,
  };
  const startAgain = async (more: Partial<AttentionOptions> = {}) => {
    const attention = await startAttention({ ...base, ...more });
    onTestFinished(() => attention.close());
    return attention;
  };
  const made: Scene = {
    ...recorder,
    clock: platform.clock,
    asker,
    desk,
    log,
    somebody: { there: false },
    links: 0,
    attention: { close: async () => {} },
    warnings: () => log.filter(({ level }) => level === "warn").map(({ message }) => message),
    async ask(request = {}, project = "/home/ada/engine", client = "Claude Code") {
      asks += 1;
      // With its own key, no ask joins the previous one.
      const options = { asker: anAsker({ client: { name: client }, project }), key: `ask-${asks}`, maxWait: 0 };
      return (await asker.ask(anAsk(request), options)).session.id;
    },
    async answer(id) {
      await desk.answer(id, validSet());
    },
    batchLeaves: () => platform.clock.advance(1_500),
    startAgain,
  };
  made.attention = await startAgain();
  onTestFinished(() => broker.close());
  return made;
}
