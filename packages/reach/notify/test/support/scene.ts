import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answerer, type AskRequest, createBroker, type LogLevel, memoryStore } from "@askbox/core";
import { anAsk, anAsker, testPlatform, validSet } from "@askbox/core/testing";
import { onTestFinished, vi } from "vitest";
import { type AttentionRules, startNotify, type Target } from "../../src/index.ts";
import type { LocalOptions, RemoteOptions } from "../../src/options.ts";
import type { Ending, Runner, RunRequest, RunResult } from "../../src/run.ts";

/** How a process ends; by default at once with exit code 0. */
export type Reaction = Partial<RunResult> | "stays";
export const exited = (code: number): Ending => ({ kind: "exited", code });
export const missing: Ending = { kind: "unstartable", reason: "ENOENT" };

/** Waits until the callback no longer throws, on a busy machine, too. */
export const comes = <Value>(look: () => Value) => vi.waitFor(look, { timeout: 30_000 });

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "askbox-notify-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const target = (rest: Partial<Target> = {}): Target => {
  const events = ["session.opened", "session.settled"] as const;
  return { kind: "webhook", url: "https://receiver.example/hook", events, text: true, after: 20, ...rest };
};

/** Records processes instead of running them. */
export function recordingRunner(react: (request: RunRequest) => Reaction | undefined = () => undefined) {
  const started: { request: RunRequest; stopped: boolean; end(result?: Partial<RunResult>): void }[] = [];
  const run: Runner = (request) => {
    const reaction = react(request) ?? {};
    const ended = Promise.withResolvers<RunResult>();
    const end = (result: Partial<RunResult> = {}) => ended.resolve({ ending: exited(0), stdout: "", stderr: "", ...result });
    const recorded = { request, stopped: false, end };
    if (request.signal?.aborted) end({ ending: { kind: "stopped" } });
    else started.push(recorded);
    request.signal?.addEventListener("abort", () => {
      recorded.stopped = true;
      end({ ending: { kind: "stopped" } });
    });
    if (reaction !== "stays") end(reaction);
    return { started: Promise.resolve(reaction === "stays" || reaction.ending?.kind !== "unstartable"), ended: ended.promise };
  };
  return { run, started };
}

/** Records requests instead of sending them. `answers`: to the next requests; 200 when it is empty. */
function recordingFetch() {
  const received: { url: string; headers: Record<string, string>; body: string }[] = [];
  const answers: ({ status: number; headers?: Record<string, string> } | "hangs" | Error)[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const { headers, signal } = new Request(url, init);
    received.push({ url, headers: Object.fromEntries(headers), body: String(init.body) });
    const answer = answers.shift() ?? { status: 200 };
    if (answer instanceof Error) throw answer;
    if (answer !== "hangs") return new Response(null, answer);
    return new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  return { fetch, received, answers };
}

export interface SceneOptions extends Partial<LocalOptions> {
  /** Stores what was announced. */
  file?: string;
  denialDigest?: number;
  rules?: AttentionRules;
  react?: (request: RunRequest) => Reaction | undefined;
  targets?: readonly Target[];
  remote?: Partial<RemoteOptions>;
}

/** A real broker with a fake clock, and what notifies of its questions; by notifications and nothing else, unless the options differ. */
export async function scene({ react, targets = [], remote = {}, file, rules, denialDigest, ...local }: SceneOptions = {}) {
  const { clock, ...platform } = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform, clock });
  const asker = broker.asker("owner");
  const desk = broker.desk({ surface: "cli" });
  const { run, started } = recordingRunner(react);
  const { fetch, received, answers } = recordingFetch();
  const log: { level: LogLevel; message: string; data: Record<string, unknown> | undefined }[] = [];
  /** What became of deliveries. */
  const results: string[] = [];
  const somebody = { there: false, page: false };
  const links = { made: 0 };
  let asks = 0;
  const startAgain = async (options: Partial<LocalOptions> = {}, others: Partial<RemoteOptions> = {}) => {
    const notify = await startNotify({
      announced: file,
      rules,
      denialDigest,
      desk,
      clock,
      log: (level, message, data) => log.push({ level, message, data }),
      meter: (channel, result) => results.push(`${channel} ${result}`),
      local: {
        mode: targets.length > 0 ? "none" : "notify",
        settings: {},
        isSomebodyThere: () => somebody.there,
        isPageOpen: () => somebody.page,
        inboxLink: async () => `http://127.0.0.1:4141/login?once=${++links.made}&to=inbox`,
        askboxCommand: ["/opt/node", "/opt/askbox.js"],
        env: { PATH: "/usr/bin", DISPLAY: ":0" },
        platform: "linux",
        run,
        ...local,
        ...options,
      },
      remote: { targets, fetch, random: () => 0, answerAs: (name) => broker.desk({ surface: "api", name }), ...remote, ...others },
    });
    onTestFinished(() => notify.close());
    return notify;
  };
  onTestFinished(() => broker.close());
  /** Asks, and returns the session's id. */
  const ask = async (request: Partial<AskRequest> = {}, about: Parameters<typeof anAsker>[0] = {}) => {
    asks += 1;
    const by = { client: { name: "Claude Code" }, project: "/home/ada/engine", ...about };
    // With its own key, no ask joins the previous one.
    return (await asker.ask(anAsk(request), { asker: anAsker(by), key: `ask-${asks}`, maxWait: 0 })).session.id;
  };
  /** Advances the clock until a batch has been announced. */
  const batchLeaves = () => clock.advance(1_500);
  return {
    ask,
    batchLeaves,
    clock,
    asker,
    desk,
    deskOf: (by: Answerer) => broker.desk(by),
    started,
    received,
    answers,
    log,
    results,
    somebody,
    links,
    startAgain,
    notify: await startAgain(),
    warnings: () => log.filter(({ level }) => level === "warn").map(({ message }) => message),
    async announce(...asked: Parameters<typeof ask>) {
      const id = await ask(...asked);
      await batchLeaves();
      return id;
    },
    async answer(id: string) {
      await desk.answer(id, validSet());
    },
    /** Lets everything happen that needs no time. */
    settled: () => clock.advance(0),
    bodies: () => received.map(({ body }) => JSON.parse(body)),
    ids: () => received.map(({ headers }) => headers["webhook-id"]),
  };
}
