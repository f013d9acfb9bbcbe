import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Desk, SessionView } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { askersOf, programs, realClients, startTerminal } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

/**
 * Real clients are woken: an answer to a question whose call has ended reaches the model of an idle, a busy and a gone conversation. Times are from
 * the answer, or from the end of the turn that a busy one is in, to the request of the model that is told of it, and to the one that has it.
 */

let home: Home;
let folder: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  execFileSync("git", ["init", "-q"], { cwd: folder });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await home.close();
});

/** Milliseconds in which the model of an open conversation has the answer, and of one that is started again. */
const [open, gone] = [2_000, 5_000];

const askUser = {
  tool: "ask_user",
  arguments: { questions: [{ question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] }] },
};

interface Woken {
  model: ScriptedModel;
  desk: Desk;
  /** Every request to the model, with when it came and the results in it. */
  requests: { at: number; text: string; told: readonly string[] }[];
  /** Lets the turn that asked go on. */
  release(): void;
}

/** A model that asks, gets a ticket, ends its turn, and calls what `then` says once it is woken. */
async function begin(isWoken: (request: string) => boolean, { isBusy = false, wake = "open" } = {}): Promise<Woken> {
  const requests: Woken["requests"] = [];
  const busy = Promise.withResolvers<void>();
  if (!isBusy) busy.resolve();
  let ticket = "";
  const model = await startModel([askUser, { tool: "get_answer", arguments: () => ({ sessionId: ticket }) }], {
    hold: (told) => (told.length > 0 ? busy.promise : Promise.resolve()),
    ends(text, told) {
      requests.push({ at: performance.now(), text, told });
      ticket = /get_answer with sessionId (\w+)/.exec(text)?.[1] ?? ticket;
      return told.length > 0 && !isWoken(text);
    },
  });
  expect(await home.spawn(["config", "set", "wake", wake])).toMatchObject({ code: 0 });
  await home.serve({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ENABLE_TOOL_SEARCH: "false",
  });
  const { desk } = await connectDesk(home);
  return { model, desk, requests, release: busy.resolve };
}

const asked = (desk: Desk): Promise<SessionView> => until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0]);

const outlookIs = (desk: Desk, id: string, client: string, next: string) =>
  until(`its client is ${client} and ${next}`, async () => {
    const outlook = await desk.outlook(id);
    return outlook.client === client && outlook.next === next;
  });

const answer = (desk: Desk, { id, questions }: SessionView) =>
  desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Left"] }] });

/** What wakes a conversation of Claude Code or Codex: words of askbox's own. */
const news = (text: string) => text.includes("askbox has news");

/** Resolves with how long it took from `since` until the model was told, once it has the answer as well, and that counts as delivered. */
async function reached(
  what: string,
  woken: Woken,
  { id }: SessionView,
  since: number,
  how: "open" | "gone",
  isTold = news,
): Promise<number> {
  const { desk, requests } = woken;
  const told = await until("the model is told", () => requests.find(({ at, text }) => at > since && isTold(text)));
  const has = ({ at, text, told }: (typeof requests)[number]) => at > since && (isTold === news ? told.join() : text).includes("Left");
  const answered = await until("the answer is with the model", () => requests.find(has));
  await until("it is delivered", async () => (await desk.get(id)).delivery.deliveredAt !== null);
  // A client that was started again still runs.
  await until("it is known how it was woken", async () => (await desk.get(id)).waking?.state === "woken");
  expect((await desk.get(id)).waking).toMatchObject({ how });
  const [first, second] = [told, answered].map(({ at }) => Math.round(at - since));
  process.stdout.write(`waking: ${what}: told after ${first} ms, has it after ${second} ms\n`);
  return told.at - since;
}

describe("claude-code", () => {
  const terminal = (woken: Woken, ...args: string[]) => {
    const tmux = startTerminal(home, woken.model, folder, args);
    const shows = (pattern: RegExp) =>
      until(`it shows ${pattern}`, () => pattern.test(tmux.screen())).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${tmux.screen()}`);
      });
    const type = async (text: string, shown: RegExp) => {
      tmux.press(text);
      await shows(shown);
      tmux.press("Enter");
    };
    return { ...tmux, shows, type };
  };
  const installSettings = async () => {
    expect(await home.spawn(["install", "claude-code"])).toMatchObject({ code: 0 });
  };
  /** Its question is open, and the terminal that waited for it is gone. In one, its client polls a task, so that its call never ends with a ticket. */
  const askedAndGone = async (woken: Woken, install: () => Promise<void> = installSettings) => {
    await install();
    const { shows, type, press, screen, end } = terminal(woken);
    await shows(/auto mode on/);
    // A turn may begin before its servers are there.
    await type("/mcp", /\/mcp/);
    await shows(/✔ (plugin:askbox:)?askbox/);
    press("Escape");
    await until("the list of servers is closed", () => !/MCP servers/.test(screen()));
    await type("Ask me.", /Ask me\./);
    const session = await asked(woken.desk);
    end();
    return session;
  };
  /** Otherwise Claude Code may move the call to its background, and polls it again itself once the conversation is resumed. */
  const foreground = { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0" };
  /** From this repository, with an askbox on the PATH. A plugin can't allow its tools, nor set a variable. */
  const installPlugin = async () => {
    const bin = join(home.path, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "askbox"), `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`, { mode: 0o755 });
    vi.stubEnv("PATH", [bin, process.env["PATH"]].join(delimiter));
    const options = { cwd: folder, env: { PATH: [programs, process.env["PATH"]].join(delimiter), HOME: home.path } };
    for (const words of [
      ["marketplace", "add", resolve(import.meta.dirname, "../..")],
      ["install", "askbox@askbox"],
    ])
      execFileSync(join(programs, "claude"), ["plugin", ...words], options);
    const file = join(home.path, ".claude", "settings.json");
    const allow = ["ask_user", "get_answer"].map((tool) => `mcp__plugin_askbox_askbox__${tool}`);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), permissions: { allow }, env: foreground }));
  };
  const resumed = async (woken: Woken, { id, asker }: SessionView) => {
    const again = terminal(woken, "--resume", asker.conversation ?? "");
    await again.shows(/auto mode on/);
    await outlookIs(woken.desk, id, "idle", "continues");
    return again;
  };

  /** A task's client could still fetch it until then. */
  const unpolled = ({ createdAt }: SessionView) =>
    until("nothing polls it any more", () => performance.now() - createdAt + performance.timeOrigin > 12_000);

  test("goes on at once when it is idle, with the tool's answer, and once", async () => {
    const woken = await begin(news);
    const session = await askedAndGone(woken);
    await resumed(woken, session);
    await unpolled(session);
    expect(askersOf(home.path, "hook")).toHaveLength(1);
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("claude-code, idle", woken, session, since, "open")).toBeLessThan(open);
    await until("no hook waits", () => askersOf(home.path, "hook").length === 0);
    expect(woken.requests.at(-1)?.text.split("askbox has news")).toHaveLength(2);
  });

  test("goes on after its turn when it is busy", async () => {
    const woken = await begin(news, { isBusy: true });
    const session = await askedAndGone(woken);
    const { type } = await resumed(woken, session);
    await unpolled(session);
    const before = woken.requests.length;
    await type("Go on.", /Go on\./);
    await until("its turn runs", () => woken.requests.length > before);
    await answer(woken.desk, session);
    await until("no hook waits", () => askersOf(home.path, "hook").length === 0);
    expect(woken.requests.some(({ text }) => news(text))).toBe(false);
    const since = performance.now();
    woken.release();
    expect(await reached("claude-code, busy, after its turn", woken, session, since, "open")).toBeLessThan(open);
  });

  test("goes on at once with the plugin's hooks", async () => {
    const woken = await begin(news);
    const session = await askedAndGone(woken, installPlugin);
    await resumed(woken, session);
    await unpolled(session);
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("claude-code, idle, plugin", woken, session, since, "open")).toBeLessThan(open);
    await until("no hook waits", () => askersOf(home.path, "hook").length === 0);
    expect(woken.requests.at(-1)?.text.split("askbox has news")).toHaveLength(2);
  });

  test("is left once it has gone, and resumed by a person", async () => {
    const woken = await begin(news);
    const session = await askedAndGone(woken);
    await outlookIs(woken.desk, session.id, "gone", "start");
    await answer(woken.desk, session);
    await woken.desk.wake(session.id);
    const since = performance.now();
    expect(await reached("claude-code, gone, from the key", woken, session, since, "gone")).toBeLessThan(gone);
  });

  test("is resumed by its answer alone once it has gone, where that is turned on", async () => {
    const woken = await begin(news, { wake: "gone" });
    const session = await askedAndGone(woken);
    await outlookIs(woken.desk, session.id, "gone", "resumes");
    await unpolled(session);
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("claude-code, gone, by itself", woken, session, since, "gone")).toBeLessThan(gone);
  });
});

describe("codex", () => {
  const [daemon] = realClients.filter(({ name, approvals }) => name === "codex" && approvals?.asks === "mcp");
  const start = async (woken: Woken) => {
    daemon?.configure(home, woken.model);
    expect(await home.spawn(["install", "codex", "--max-wait", "2"])).toMatchObject({ code: 0 });
    return daemon?.approvals?.start(home, woken.model, folder, {});
  };
  /** Its question is open, and its daemon is gone. */
  const askedAndGone = async (woken: Woken) => {
    const turn = await start(woken);
    const session = await asked(woken.desk);
    await turn?.over;
    for (const pid of askersOf(home.path, "app-server")) killProcess(pid);
    return session;
  };

  test("goes on at once when it is idle, and once", async () => {
    const woken = await begin(news);
    const turn = await start(woken);
    const session = await asked(woken.desk);
    await turn?.over;
    await outlookIs(woken.desk, session.id, "idle", "continues");
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("codex, idle", woken, session, since, "open")).toBeLessThan(open);
    expect(woken.requests.at(-1)?.text.split("askbox has news")).toHaveLength(2);
  });

  test("goes on after its turn when it is busy", async () => {
    const woken = await begin(news, { isBusy: true });
    await start(woken);
    const session = await asked(woken.desk);
    await until("it has a ticket", () => woken.model.results.length > 0);
    await outlookIs(woken.desk, session.id, "busy", "continues");
    await answer(woken.desk, session);
    const since = performance.now();
    woken.release();
    expect(await reached("codex, busy, after its turn", woken, session, since, "open")).toBeLessThan(open);
  });

  test("is left once it has gone, and resumed by a person", async () => {
    const woken = await begin(news);
    const session = await askedAndGone(woken);
    await outlookIs(woken.desk, session.id, "gone", "start");
    await answer(woken.desk, session);
    const since = performance.now();
    await woken.desk.wake(session.id);
    expect(await reached("codex, gone, from the key", woken, session, since, "gone")).toBeLessThan(gone);
  });

  test("is resumed by its answer alone once it has gone, where that is turned on", async () => {
    const woken = await begin(news, { wake: "gone" });
    const session = await askedAndGone(woken);
    await outlookIs(woken.desk, session.id, "gone", "resumes");
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("codex, gone, by itself", woken, session, since, "gone")).toBeLessThan(gone);
  });
});

// OpenCode installs a package for plugins at its first start.
describe("opencode", { timeout: 240_000 }, () => {
  const told = (text: string) => text.includes("askbox: the person");
  const client = realClients.find(({ name }) => name === "opencode");
  const start = async (woken: Woken) => {
    client?.configure(home, woken.model);
    expect(await home.spawn(["install", "opencode", "--approvals", "--max-wait", "2"])).toMatchObject({ code: 0 });
    const turn = await client?.approvals?.start(home, woken.model, folder, {});
    const session = await until("it asks", async () => (await woken.desk.list({ statuses: ["pending"] })).items[0], 180_000);
    return { turn, session };
  };

  test("goes on at once when it is idle, with the answer as its user's message", async () => {
    const woken = await begin(told);
    const { turn, session } = await start(woken);
    await turn?.over;
    await outlookIs(woken.desk, session.id, "idle", "continues");
    expect(askersOf(home.path, "hook")).toHaveLength(1);
    const since = performance.now();
    await answer(woken.desk, session);
    expect(await reached("opencode, idle", woken, session, since, "open", told)).toBeLessThan(open);
  });

  test("gets the answer in its turn when it is busy", async () => {
    const woken = await begin(told, { isBusy: true });
    const { session } = await start(woken);
    await until("it has a ticket", () => woken.model.results.length > 0);
    await outlookIs(woken.desk, session.id, "idle", "continues");
    await answer(woken.desk, session);
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    expect(woken.requests.some(({ text }) => told(text))).toBe(false);
    const since = performance.now();
    woken.release();
    expect(await reached("opencode, busy", woken, session, since, "open", told)).toBeLessThan(open);
  });
});
