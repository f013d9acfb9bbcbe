import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseAsk, standardPlatform } from "@askbox/core";
import { findHub } from "@askbox/home";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { askbox, type FaultHome, faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { rounds, seededChance, timeout } from "./support/rounds.ts";
import { canHaveHosts, type SshHost, sshHosts } from "./support/ssh-hosts.ts";

// Hosts with a real sshd behind a router that translates addresses, and `askbox ssh` to each: what the stand-in of ssh in `tests/machines`
// can't show. On a machine without sshd, namespaces or root, there are none.

const { ids } = standardPlatform(globalThis);
let home: FaultHome;
let network: Awaited<ReturnType<typeof sshHosts>>;
const hostCount = 8;

beforeEach(async () => {
  if (!canHaveHosts) return;
  network = await sshHosts(hostCount);
  home = faultHome({ env: { PATH: `${network.path}:${process.env["PATH"]}`, ASKBOX_IDLE_EXIT: "0" } });
  await home.startHub();
}, 120_000);
afterEach(() => {
  if (canHaveHosts) network.close();
}, 60_000);

/** `askbox ssh` to a host, once its agents can ask; ms since it was started. */
async function connected(name: string): Promise<{ child: ChildProcess; took: number }> {
  const [program = "", ...args] = askbox;
  const began = performance.now();
  const child = spawn(program, [...args, "ssh", name], { cwd: home.folder, env: home.env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await until("askbox ssh has ended", () => child.exitCode !== null || child.signalCode !== null);
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until(
    `${name} has joined`,
    () => {
      if (child.exitCode !== null) throw new Error(said);
      return said.includes("comes here, from");
    },
    60_000,
  );
  return { child, took: performance.now() - began };
}

/** An agent's connection on a host, as its stdio server makes it. */
const agentOn = (host: SshHost, name: string) =>
  home.connect({ role: "asker", env: { ASKBOX_HOME: host.folder }, agent: { name, version: "1" }, retryFirst: true, timeout: 120_000 });

/** Its `ssh`. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** Whether its socket leads to the hub now. */
const leadsToHub = (host: SshHost): Promise<boolean> =>
  findHub({ role: "asker", env: { ASKBOX_HOME: host.folder }, signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );

/** A person who answers each question with its own words. */
async function person() {
  const { desk } = await home.connect({ role: "desk", surface: "cli", env: home.env });
  let answered = 0;
  await desk.watch({}, (event) => {
    const sessions = event.type === "snapshot" ? event.sessions : event.type === "session" ? [event.session] : [];
    for (const { id, status, questions } of sessions) {
      const [question] = questions;
      if (status !== "pending" || question === undefined) continue;
      const said = { answers: [{ questionId: question.id, values: [question.question] }] };
      desk.answer(id, said, { idempotencyKey: id }).then(
        () => (answered += 1),
        () => {},
      );
    }
  });
  return { desk, answered: () => answered };
}

const ask = async (agent: Awaited<ReturnType<typeof agentOn>>, host: SshHost, text: string) => {
  const request = parseAsk({ questions: [{ question: text, type: "text" }], timeout: 1_800_000 }, { ids });
  const asker = { client: { name: "claude-code" }, project: "/work", agentId: text.split(" ")[0] ?? "" };
  const { session, ack } = await agent.asker.ask(request, { asker, earlier: false });
  await ack();
  const { outcome } = session.context;
  return outcome?.kind === "answered" ? outcome.answers[0]?.values[0] : `${host.name}: ${outcome?.kind}`;
};

test.skipIf(!canHaveHosts)(
  "40 agents on 8 hosts lose and repeat nothing while tunnels are killed, flap and are half open",
  { tags: "nightly", timeout },
  async () => {
    const chance = seededChance("hosts");
    const drops = rounds(50);
    const { desk } = await person();
    const tunnels = new Map<SshHost, ChildProcess>();
    const took: number[] = [];
    for (const host of network.hosts) {
      const { child, took: ms } = await connected(host.name);
      tunnels.set(host, child);
      took.push(ms);
    }
    let isOver = false;
    let asked = 0;
    const wrong: string[] = [];
    const connections = await Promise.all(
      network.hosts.flatMap((host) =>
        Array.from({ length: 5 }, async (_, index) => ({ host, index, agent: await agentOn(host, `${host.name}-${index}`) })),
      ),
    );
    const agents = connections.map(async ({ host, index, agent }) => {
      for (let number = 0; !isOver; number += 1) {
        const text = `${host.name}-${index} asks ${number}`;
        asked += 1;
        const told = await ask(agent, host, text).catch((error: unknown) => String(error));
        if (told !== text) wrong.push(`${text}: ${told}`);
        await pause(50);
      }
    });
    const drop = async (host: SshHost): Promise<void> => {
      const kind = chance.between(1, 20);
      if (kind <= 16) {
        if (kind > 8) for (const pid of childrenOf(tunnels.get(host)?.pid ?? 0)) killProcess(pid);
        host.killSessions();
        return;
      }
      host.link(false);
      // One in twenty is half open for longer than the tunnel's keep-alive takes to notice.
      await pause(kind === 20 ? 21_000 : chance.between(100, 3_000));
      host.link(true);
    };
    let dropped = 0;
    await Promise.all(
      network.hosts.map(async (host) => {
        while (dropped < drops) {
          dropped += 1;
          if (dropped % 100 === 0) process.stdout.write(`hosts: ${dropped} drops, ${asked} asks\n`);
          await until(`the way of ${host.name} is open`, () => leadsToHub(host), 120_000);
          await pause(chance.between(0, 1_500));
          await drop(host);
        }
      }),
    );
    isOver = true;
    await Promise.all(agents);
    let seen = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await desk.list({ limit: 1_000, cursor });
      seen += page.items.length;
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    process.stdout.write(
      `hosts: ${dropped} drops, ${asked} asks, ${seen} sessions, joined in ${Math.round(Math.max(...took))} ms at most\n`,
    );
    expect(wrong).toEqual([]);
    expect(seen).toBe(asked);
    expect(Math.max(...took)).toBeLessThan(20_000);
  },
);

test.skipIf(!canHaveHosts)(
  "a host joins and asks over a link of 300 ms, and one that loses 5 % of its packets",
  { tags: "nightly", timeout },
  async () => {
    await person();
    const [slow, lossy] = network.hosts as [SshHost, SshHost];
    const overSlow = await connected("slow-1");
    lossy.loss(5);
    const overLossy = await connected(lossy.name);
    for (const host of [slow, lossy]) {
      const agent = await agentOn(host, host.name);
      for (let number = 0; number < 20; number += 1)
        expect(await ask(agent, host, `${host.name} asks ${number}`)).toBe(`${host.name} asks ${number}`);
    }
    process.stdout.write(
      `hosts: joined in ${Math.round(overSlow.took)} ms over 300 ms, in ${Math.round(overLossy.took)} ms with 5 % loss\n`,
    );
    expect(Math.max(overSlow.took, overLossy.took)).toBeLessThan(20_000);
  },
);

/** A container's layout: its own mounts and no network, the socket's folder, and nothing else of the hub's home. */
const inContainer = (folder: string, command: string, env: Record<string, string>) => {
  const mounts = `mount --bind ${folder}/socket ${folder}/box/run && mount -t tmpfs none ${home.folder} && cd ${folder}/box`;
  const child = spawn("unshare", ["--mount", "--net", "sh", "-ec", `${mounts} && ${command}`], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise<{ code: number | null; output: string }>((done) => child.on("close", (code) => done({ code, output })));
};

test.skipIf(!canHaveHosts)(
  "a container asks by the mounted folder of the socket, without a network, also after the hub was restarted",
  { tags: "nightly", timeout },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "abc-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "box/run"), { recursive: true });
    chmodSync(join(folder, "box"), 0o700);
    const own = faultHome({ env: { ASKBOX_SOCKET: join(folder, "socket/hub.sock"), ASKBOX_IDLE_EXIT: "0" } });
    home = own;
    let hub = await own.startHub();
    const line = askbox.map((part) => `'${part}'`).join(" ");
    const there = { ASKBOX_HOME: join(folder, "box"), HOME: join(folder, "box") };
    const { stdout } = await own.run(["invite", "--name", "box", "--at", `unix:${folder}/box/run/hub.sock`, "--json"]);
    expect(await inContainer(folder, `${line} join '${JSON.parse(stdout).joining}'`, there)).toMatchObject({ code: 0 });
    expect((await inContainer(folder, `ls -A ${own.folder}; ls -A run`, there)).output).toBe("hub.sock\n");
    for (let round = 0; round < 2; round += 1) {
      await person();
      expect(await inContainer(folder, `${line} ask 'Round ${round}?'`, there)).toMatchObject({
        code: 0,
        output: expect.stringContaining(`Round ${round}?`),
      });
      await hub.kill("SIGTERM");
      hub = await own.startHub();
    }
  },
);

test.skipIf(!canHaveHosts)("a tunnel adds at most 5 ms to a round trip, for half of them", { tags: "nightly", timeout }, async () => {
  const [host] = network.hosts as [SshHost];
  await connected(host.name);
  const [there, here] = [
    await agentOn(host, "there"),
    await home.connect({ role: "asker", env: home.env, agent: { name: "here", version: "1" } }),
  ];
  const median = async ({ asker }: typeof there) => {
    const times: number[] = [];
    for (let number = 0; number < 300; number += 1) {
      const began = performance.now();
      await asker.collect({ client: { name: "claude-code" } });
      times.push(performance.now() - began);
    }
    return times.sort((one, other) => one - other)[150] ?? 0;
  };
  const [bare, tunnelled] = [await median(here), await median(there)];
  process.stdout.write(`hosts: a round trip takes ${bare.toFixed(2)} ms here and ${tunnelled.toFixed(2)} ms by the tunnel, p50\n`);
  expect(tunnelled - bare).toBeLessThan(5);
});
