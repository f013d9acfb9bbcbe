import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Desk, SessionView } from "@askbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { until } from "../support/until.ts";
import { askersOf, programs, realClients, startTerminal } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

/**
 * Real clients are woken: an answer to a question whose call has ended reaches the model of an idle, a busy and a gone conversation. Times are from
 * the answer to the request of the model that has it.
 */

let home: Home;
let folder: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  execFileSync("git", ["init", "-q"], { cwd: folder });
});
afterEach(() => home.close());

/** Milliseconds in which the model of an open conversation has the answer, and of one that is started again. */
const [open, gone] = [2_000, 5_000];

const askUser = {
  tool: "ask_user",
  arguments: { questions: [{ question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] }] },
};

interface Woken {
  model: ScriptedModel;
  desk: Desk;
  /** Every request to the model, with when it came. */
  requests: { at: number; text: string }[];
  /** Lets the turn that asked go on. */
  release(): void;
}

/** A model that asks, gets a ticket, ends its turn, and calls what `then` says once it is woken. */
async function begin(isWoken: (request: string) => boolean, { isBusy = false } = {}): Promise<Woken> {
  const requests: Woken["requests"] = [];
  const busy = Promise.withResolvers<void>();
  if (!isBusy) busy.resolve();
  let ticket = "";
  const model = await startModel([askUser, { tool: "get_answer", arguments: () => ({ sessionId: ticket }) }], {
    hold: (told) => (told.length > 0 ? busy.promise : Promise.resolve()),
    ends(text, told) {
      requests.push({ at: performance.now(), text });
      ticket = /get_answer with sessionId (\w+)/.exec(text)?.[1] ?? ticket;
      return told.length > 0 && !isWoken(text);
    },
  });
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

/** Answers, and resolves with how long it took until the model had it. */
async function answered({ desk, requests }: Woken, { id, questions }: SessionView, has: (request: string) => boolean): Promise<number> {
  const before = performance.now();
  await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Left"] }] });
  const { at } = await until("the model has the answer", () => requests.find(({ at, text }) => at > before && has(text)));
  return at - before;
}

const report = (what: string, ms: number) => process.stdout.write(`waking: ${what}: ${Math.round(ms)} ms\n`);

describe("claude-code", () => {
  const news = (text: string) => text.includes("askbox has news");
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
  /** Its question is open, and the terminal that waited for it is gone. In one, its client polls a task, so that its call never ends with a ticket. */
  const askedAndGone = async (woken: Woken) => {
    expect(await home.spawn(["install", "claude-code"])).toMatchObject({ code: 0 });
    const { shows, type, press, screen, end } = terminal(woken);
    await shows(/auto mode on/);
    // A turn may begin before its servers are there.
    await type("/mcp", /\/mcp/);
    await shows(/✔ askbox/);
    press("Escape");
    await until("the list of servers is closed", () => !/MCP servers/.test(screen()));
    await type("Ask me.", /Ask me\./);
    const session = await asked(woken.desk);
    end();
    return session;
  };
  const resumed = async (woken: Woken, { id, asker }: SessionView) => {
    const again = terminal(woken, "--resume", asker.conversation ?? "");
    await again.shows(/auto mode on/);
    await outlookIs(woken.desk, id, "idle", "continues");
    return again;
  };

  test("goes on at once when it is idle, with the tool's answer, and once", async () => {
    const woken = await begin(news);
    const session = await askedAndGone(woken);
    await resumed(woken, session);
    // Until then, the client of a task could still fetch it.
    await until("nothing polls it any more", () => performance.now() - session.createdAt + performance.timeOrigin > 12_000);
    expect(askersOf(home.path, "hook")).toHaveLength(1);
    const ms = await answered(woken, session, news);
    report("claude-code, idle", ms);
    await until("the tool's answer is with the model", () => woken.model.results.some((text) => text.includes("Left")));
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    expect((await woken.desk.get(session.id)).waking).toMatchObject({ state: "woken", how: "open" });
    await until("no hook waits", () => askersOf(home.path, "hook").length === 0);
    expect(woken.requests.at(-1)?.text.split("askbox has news")).toHaveLength(2);
    expect(ms).toBeLessThan(open);
  });

  test("is left once it has gone, and resumed by a person with the answer", async () => {
    const woken = await begin((text) => text.includes("askbox: the person"));
    const session = await askedAndGone(woken);
    await outlookIs(woken.desk, session.id, "gone", "start");
    await woken.desk.answer(session.id, { answers: [{ questionId: session.questions[0]?.id ?? "", values: ["Left"] }] });
    await woken.desk.wake(session.id);
    const before = performance.now();
    const { at, text } = await until("it is resumed", () => woken.requests.find((one) => one.text.includes("askbox: the person")));
    report("claude-code, gone, from the key", at - before);
    expect(text).toContain("Left");
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    expect((await woken.desk.get(session.id)).waking).toMatchObject({ state: "woken", how: "gone" });
    expect(at - before).toBeLessThan(gone);
  });
});

describe("codex", () => {
  const told = (text: string) => text.includes("askbox: the person");
  const [daemon] = realClients.filter(({ name, approvals }) => name === "codex" && approvals?.asks === "mcp");
  const start = async (woken: Woken) => {
    daemon?.configure(home, woken.model);
    expect(await home.spawn(["install", "codex", "--max-wait", "2"])).toMatchObject({ code: 0 });
    return daemon?.approvals?.start(home, woken.model, folder, {});
  };

  test("goes on at once when it is idle, with the answer as its user's message, and once", async () => {
    const woken = await begin(told);
    const turn = await start(woken);
    const session = await asked(woken.desk);
    await turn?.over;
    await outlookIs(woken.desk, session.id, "idle", "continues");
    const ms = await answered(woken, session, told);
    report("codex, idle", ms);
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    const view = await woken.desk.get(session.id);
    expect(view.waking).toMatchObject({ state: "woken", how: "open" });
    expect(view.delivery.callId).toBe(view.waking?.id);
    expect(woken.requests.find(({ text }) => told(text))?.text).toContain("Left");
    expect(ms).toBeLessThan(open);
  });

  test("goes on after its turn when it is busy", async () => {
    const woken = await begin(told, { isBusy: true });
    await start(woken);
    const session = await asked(woken.desk);
    await until("it has a ticket", () => woken.model.results.length > 0);
    await outlookIs(woken.desk, session.id, "busy", "continues");
    await woken.desk.answer(session.id, { answers: [{ questionId: session.questions[0]?.id ?? "", values: ["Left"] }] });
    const released = performance.now();
    woken.release();
    const { at } = await until("it is woken", () => woken.requests.find(({ text }) => told(text)));
    report("codex, busy, after its turn", at - released);
    expect(at - released).toBeLessThan(open);
  });

  test("is left once it has gone, and resumed by a person with the answer", async () => {
    const woken = await begin(told);
    const turn = await start(woken);
    const session = await asked(woken.desk);
    await turn?.over;
    for (const pid of askersOf(home.path, "app-server")) killProcess(pid);
    await outlookIs(woken.desk, session.id, "gone", "start");
    await woken.desk.answer(session.id, { answers: [{ questionId: session.questions[0]?.id ?? "", values: ["Left"] }] });
    const before = performance.now();
    await woken.desk.wake(session.id);
    const { at, text } = await until("it is resumed", () => woken.requests.find((one) => told(one.text)));
    report("codex, gone, from the key", at - before);
    expect(text).toContain("Left");
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    expect(at - before).toBeLessThan(gone);
  });
});

describe("opencode", () => {
  const told = (text: string) => text.includes("askbox: the person");
  const client = realClients.find(({ name }) => name === "opencode");
  const start = async (woken: Woken) => {
    client?.configure(home, woken.model);
    expect(await home.spawn(["install", "opencode", "--approvals", "--max-wait", "2"])).toMatchObject({ code: 0 });
    return client?.approvals?.start(home, woken.model, folder, {});
  };

  // OpenCode installs a package for plugins at its first start.
  test("goes on at once when it is idle, with the answer as its user's message", { timeout: 240_000 }, async () => {
    const woken = await begin(told);
    const turn = await start(woken);
    const session = await until("it asks", async () => (await woken.desk.list({ statuses: ["pending"] })).items[0], 180_000);
    await turn?.over;
    await outlookIs(woken.desk, session.id, "idle", "continues");
    expect(askersOf(home.path, "hook")).toHaveLength(1);
    const ms = await answered(woken, session, told);
    report("opencode, idle", ms);
    await until("it is delivered", async () => (await woken.desk.get(session.id)).delivery.deliveredAt !== null);
    expect((await woken.desk.get(session.id)).waking).toMatchObject({ state: "woken", how: "open" });
    expect(ms).toBeLessThan(open);
  });
});
