import { AskboxError, type Asker, type AskInput, createBroker, type Desk, memoryStore, parseAsk, type SessionRecord } from "@askbox/core";
import { anAsker, type FakeClock, testPlatform } from "@askbox/core/testing";
import type { CommandContext } from "../../src/context.ts";
import type { Io, Output } from "../../src/io.ts";
import { runProgram } from "../../src/program.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  stdin?: string;
  columns?: number;
  /** The agent in whose shell the command runs. */
  agent?: string;
  /** Nobody reads what it prints. */
  brokenPipe?: boolean;
  /** No hub can be reached. */
  noHub?: boolean;
  /** Methods that take the place of the asker's own. */
  askerMethods?: Partial<Asker>;
}

/** A command at work, for tests that settle what it waits for. */
export interface Running {
  done: Promise<Ran>;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

export interface Inbox {
  clock: FakeClock;
  /** Somebody at another surface. */
  desk: Desk;
  asker: Asker;
  /** Asks as an agent that goes on waiting. */
  ask(input: AskInput): Promise<SessionRecord>;
  start(args: readonly string[], options?: RunOptions): Running;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Resolves with the id of the session that is pending, once there is one. */
  asked(): Promise<string>;
}

/** Commands over a broker in this process, with a memory store and a clock that stands still. */
export async function openInbox(): Promise<Inbox> {
  const platform = testPlatform();
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const asker = broker.asker("agent-token");
  const desk = broker.desk({ surface: "web", name: "ada" });

  const start = (
    args: readonly string[],
    { stdin = "", columns = 80, agent, brokenPipe, noHub, askerMethods = {} }: RunOptions = {},
  ): Running => {
    const written = { stdout: "", stderr: "" };
    const output = (name: "stdout" | "stderr"): Output => ({
      write: async (text) => {
        if (brokenPipe && name === "stdout") throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
        written[name] += text;
      },
      columns,
      isTerminal: false,
      hasColors: false,
    });
    const io: Io = { stdin: { text: async () => stdin }, stdout: output("stdout"), stderr: output("stderr"), env: {} };
    let interrupt = () => {};
    const contextFor = (): CommandContext => {
      const ownDesk = broker.desk({ surface: "cli", name: "grace" });
      const ownAsker = broker.asker("shell-token");
      return {
        io,
        globals: {},
        desk: async () => ownDesk,
        asker: async () => {
          if (noHub) throw new AskboxError("HUB_UNREACHABLE", "No hub can be reached.");
          return replaced(ownAsker, askerMethods);
        },
        askerInfo: async () => anAsker({ client: { name: "askbox ask" } }),
        settings: async () => ({ timeout: 300_000, requestBytes: 262_144 }),
        agentToRefuse: async () => agent,
        now: platform.clock.now,
        onInterrupt: (listener) => {
          interrupt = listener;
          return () => {};
        },
        close: async () => {
          ownDesk.close();
          ownAsker.close();
        },
      };
    };
    const done = runProgram(args, io, contextFor).then((code) => ({ code, ...written }));
    return { done, interrupt: () => interrupt() };
  };

  return {
    clock: platform.clock,
    desk,
    asker,
    start,
    run: (args, options) => start(args, options).done,
    async ask(input) {
      const { session } = await asker.open(parseAsk(input, { ids: platform.ids }), { asker: anAsker() });
      asker.wait(session.id).catch(() => {});
      return session;
    },
    async asked() {
      const found = Promise.withResolvers<string>();
      const watch = await desk.watch({}, (event) => {
        const sessions = event.type === "snapshot" ? event.sessions : event.type === "session" ? [event.session] : [];
        for (const { id, status } of sessions) if (status === "pending") found.resolve(id);
      });
      return found.promise.finally(() => watch.close());
    },
  };
}

function replaced(port: Asker, methods: Partial<Asker>): Asker {
  return {
    open: (...args) => port.open(...args),
    wait: (...args) => port.wait(...args),
    withdraw: (...args) => port.withdraw(...args),
    delivered: (...args) => port.delivered(...args),
    earlier: (...args) => port.earlier(...args),
    ...methods,
  };
}
