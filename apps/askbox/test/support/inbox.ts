import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
  type Agents,
  AskboxError,
  type Asker,
  type AskInput,
  createBroker,
  type Desk,
  memoryStore,
  parseAsk,
  type SessionRecord,
} from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import { keptRan, sharedMemory, type TakeImages } from "@askbox/core/stores";
import { anAsker, type FakeClock, resumed, testPlatform } from "@askbox/core/testing";
import type { CommandContext } from "../../src/context.ts";
import type { Io, Output } from "../../src/io.ts";
import { runProgram } from "../../src/program.ts";
import type { ReadOptions } from "../../src/read-input.ts";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  stdin?: string | ((options?: ReadOptions) => Promise<string>);
  columns?: number;
  /** The agent in whose shell the command runs. */
  agent?: string;
  /** Nobody reads its output. */
  brokenPipe?: boolean;
  /** No hub can be reached. */
  noHub?: boolean;
  /** The shell's environment. */
  env?: Record<string, string>;
  /** The hub keeps nothing of what ran. */
  keepsNothing?: boolean;
  /** The token may only ask. */
  asksOnly?: boolean;
  /** The process exits as soon as it has asked. */
  abandon?: boolean;
  /** What the person makes of the file in the editor. */
  editor?: (text: string) => string;
  /** Called between the command reading the session and answering it. */
  beforeAnswer?: () => Promise<void>;
  /** Methods that replace the asker's own. */
  /** The hub goes away before the outcome is acknowledged. */
  cannotAck?: boolean;
}

/** A running command, for tests that settle what it waits for. */
interface Running {
  done: Promise<Ran>;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

export interface Inbox {
  clock: FakeClock;
  /** The names of the files from an editor that were kept. */
  edits: ReadonlySet<string>;
  /** A person at another surface. */
  desk: Desk;
  asker: Asker;
  ran: RanLog;
  agents: Agents;
  /** Asks as an agent that keeps waiting, or leaves at once. */
  ask(input: AskInput, options?: { leaves?: boolean; client?: string }): Promise<SessionRecord>;
  /** Resolves once somebody waits for the session. */
  attached(id: string): Promise<void>;
  start(args: readonly string[], options?: RunOptions): Running;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Resolves with the id of the pending session once there is one. */
  asked(): Promise<string>;
}

/** Commands with a broker in this process, a memory store and a stopped clock. */
export async function openInbox(): Promise<Inbox> {
  const platform = testPlatform();
  const images: TakeImages = async (_owner, asked) => ({
    images: asked.map(({ src: name, alt }) => {
      const image = { name, mimeType: "image/png", size: 9, sha256: "0".repeat(64), width: 3, height: 2 };
      return alt === undefined ? image : { ...image, alt };
    }),
    keep: async () => {},
  });
  const { clock } = platform;
  const ran = keptRan(sharedMemory(clock).open(), { now: () => clock.now(), keep: 7 * 86_400_000 });
  const broker = await createBroker({ ...platform, store: memoryStore(), ran, files: async (_session, answers) => answers, images });
  const asker = broker.asker("agent-token");
  const edits = new Set<string>();
  const desk = broker.desk({ surface: "web", name: "ada" });

  const start = (
    args: readonly string[],
    {
      stdin = "",
      columns = 80,
      agent,
      brokenPipe,
      noHub,
      env = {},
      asksOnly,
      keepsNothing = false,
      abandon,
      beforeAnswer,
      cannotAck = false,
      editor = (text) => text,
    }: RunOptions = {},
  ): Running => {
    const written = { stdout: "", stderr: "" };
    const output = (name: "stdout" | "stderr"): Output => ({
      write: async (text) => {
        if (brokenPipe && name === "stdout") throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
        written[name] += text;
      },
      columns,
      tableColumns: columns,
      isTerminal: false,
      hasColors: false,
    });
    const io: Io = {
      stdin: { text: async (options) => (typeof stdin === "string" ? stdin : stdin(options)) },
      stdout: output("stdout"),
      stderr: output("stderr"),
      env,
    };
    let interrupt = () => {};
    const contextFor = (): CommandContext => {
      const ownDesk = broker.desk({ surface: "cli", name: "grace" });
      const ownAsker = broker.asker("shell-token");
      if (beforeAnswer !== undefined) {
        const answer = ownDesk.answer.bind(ownDesk);
        ownDesk.answer = async (...args) => {
          await beforeAnswer();
          return answer(...args);
        };
      }
      if (abandon) {
        const ask = ownAsker.ask.bind(ownAsker);
        ownAsker.ask = (request, options) => ask(request, { ...options, maxWait: 0 }).then(() => new Promise(() => {}));
      }
      return {
        io,
        globals: {},
        desk: async () => {
          if (asksOnly) throw new AskboxError("FORBIDDEN", "This token may only ask.");
          return ownDesk;
        },
        asker: async () => {
          if (noHub) throw new AskboxError("HUB_UNREACHABLE", "No hub can be reached.");
          return cannotAck ? unacknowledged(ownAsker) : ownAsker;
        },
        upload: async (_session, path) => {
          const bytes = await readFile(path);
          return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, mimeType: "text/plain" };
        },
        edit: async (name, text) => {
          const written = editor(text);
          const remove = async () => void edits.delete(name);
          edits.add(name);
          if (written === text) await remove();
          return { path: `/edits/${name}`, text: written === text ? undefined : written, delete: remove };
        },
        sendPictures: async (request) => request,
        agents: async () => broker.agents,
        ran: async () => (keepsNothing ? { list: async () => ({ isOn: false, items: [] }) } : broker.ran),
        askerInfo: async () => anAsker({ client: { name: "askbox ask" } }),
        asksElsewhere: async () => undefined,
        settings: async () => ({ timeout: 300_000, requestBytes: 262_144 }),
        agent: async () => agent,
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
    clock,
    ran,
    edits,
    desk,
    asker,
    agents: broker.agents,
    start,
    run: (args, options) => start(args, options).done,
    async ask(input, { leaves = false, client } = {}) {
      const { session } = await asker.ask(parseAsk(input, { ids: platform.ids }), {
        asker: anAsker(client === undefined ? {} : { client: { name: client } }),
        maxWait: 0,
      });
      const gone = new AbortController();
      resumed(asker, session.id, { signal: gone.signal }).catch(() => {});
      if (leaves) gone.abort();
      return session;
    },
    async attached(id) {
      const found = Promise.withResolvers<void>();
      const watch = await desk.watch({}, (event) => {
        const sessions = event.type === "snapshot" ? event.sessions : event.type === "session" ? [event.session] : [];
        if (sessions.some((session) => session.id === id && session.presence.asker === "attached")) found.resolve();
      });
      await found.promise;
      watch.close();
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

function unacknowledged(port: Asker): Asker {
  const ack = () => Promise.reject(new AskboxError("HUB_UNREACHABLE", "No hub can be reached."));
  return {
    ask: async (...args) => ({ ...(await port.ask(...args)), ack }),
    resume: (...args) => port.resume(...args),
    withdraw: (...args) => port.withdraw(...args),
    collect: (...args) => port.collect(...args),
  };
}
