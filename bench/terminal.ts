import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { anAsk, anAsker } from "@askbox/core/testing";
import { rolldown } from "rolldown";
import { WebSocketServer } from "ws";
import { againstFloor, atMost, type BenchRow, interleave, median, percentile } from "./harness.ts";
import { type HomeHub, startHomeHub } from "./parts/home-hub.ts";
import { openPty, type TimedPty } from "./parts/pty.ts";

const starts = 20;
const questions = 40;
const keys = 120;
const pending = 500;
/** Milliseconds before each measurement of a paint. */
const idle = 50;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");
const bareInk = join(import.meta.dirname, "fixtures/bare-ink.ts");

/** The terminal inbox on a real pty: its first paint beside a bare Ink program's, a question's way to the screen, and a key's echo. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  const hub = await startHomeHub(command, folder);
  const { env } = hub;
  try {
    const bare = await bundle(bareInk, folder);
    const paint = (args: string[], sign: string, leave: string) => async () => {
      const began = performance.now();
      const terminal = openPty(args, env);
      const at = await terminal.wrote(sign);
      await terminal.end(leave);
      return at - began;
    };
    const painted = await interleave(starts, {
      floor: paint([bare], "bare ink", "\u0003"),
      askbox: paint([command], "askbox", "q"),
    });
    return [
      againstFloor(
        {
          id: "terminal-first-paint",
          name: "terminal inbox, opening to first paint; floor: bare Ink",
          floor: median(painted.floor),
          askbox: median(painted.askbox),
          unit: "ms",
        },
        { atMost: 1.6 },
      ),
      await askedToPainted(hub, bare),
      await keyToEcho(hub, bare),
    ];
  } finally {
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both stand open on a pty of their own; by turns a question is asked and a word is sent to a bare Ink program over a WebSocket. */
async function askedToPainted(hub: HomeHub, bare: string): Promise<BenchRow> {
  const asker = await hub.asker();
  const feed = await startFeed();
  const floor = openPty([bare, feed.url], hub.env);
  const terminal = openPty([command], hub.env);
  try {
    await Promise.all([floor.wrote("listening"), terminal.wrote("no questions waiting")]);
    let round = 1_000;
    const painted = await interleave(questions, {
      async floor() {
        await pause(idle);
        round += 1;
        floor.mark();
        const began = performance.now();
        feed.send(`matter-${round}`);
        return (await floor.wrote(`matter-${round}`)) - began;
      },
      async askbox() {
        await pause(idle);
        const title = `matter-${round}`;
        terminal.mark();
        const began = performance.now();
        const { session } = await asker.ask(anAsk({ title }), { asker: anAsker({ agentId: title }), maxWait: 0 });
        const took = (await terminal.wrote(title)) - began;
        terminal.mark();
        await asker.withdraw(session.id);
        await terminal.wrote("no questions waiting");
        return took;
      },
    });
    const name = "question asked to painted in the terminal, p50; floor: bare Ink";
    return atMost({ id: "terminal-paint", name, floor: median(painted.floor), askbox: median(painted.askbox), unit: "ms" }, 60);
  } finally {
    await Promise.all([floor.end("\u0003"), terminal.end("q")]);
    await feed.close();
  }
}

async function keyToEcho(hub: HomeHub, bare: string): Promise<BenchRow> {
  const asker = await hub.asker();
  for (let index = 0; index < pending; index += 1)
    await asker.ask(anAsk({ title: `matter ${index}` }), { asker: anAsker({ agentId: `agent-${index}` }), maxWait: 0 });
  const floor = openPty([bare], hub.env);
  const terminal = openPty([command], hub.env);
  try {
    await Promise.all([floor.wrote("bare ink"), terminal.wrote(`${pending} questions waiting`)]);
    terminal.mark();
    terminal.send("\r");
    await terminal.wrote("stop typing");
    const echo = (program: TimedPty) => {
      let round = 0;
      return async () => {
        round += 1;
        await pause(20 + (round % 7) * 3);
        const key = String.fromCharCode(0x4e00 + round);
        program.mark();
        const began = performance.now();
        program.send(key);
        return (await program.wrote(key)) - began;
      };
    };
    const echoes = await interleave(keys, { floor: echo(floor), askbox: echo(terminal) });
    const name = `key to echo with ${pending} questions in the terminal, p95; floor: bare Ink`;
    const [ofFloor, ofAskbox] = [percentile(echoes.floor, 0.95), percentile(echoes.askbox, 0.95)];
    // The slowest of twenty are the machine's as much as ours.
    return atMost({ id: "terminal-echo", name, floor: ofFloor, askbox: ofAskbox, unit: "ms", tolerance: 1 }, 20);
  } finally {
    await Promise.all([floor.end("\u0003"), terminal.end("\u0003")]);
  }
}

async function startFeed(): Promise<{ url: string; send(text: string): void; close(): Promise<void> }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(text) {
      for (const socket of server.clients) socket.send(text);
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Bundles the floor by the same rules as the command (see `apps/askbox/rolldown.config.ts`). */
async function bundle(input: string, folder: string): Promise<string> {
  const bundled = await rolldown({
    input,
    platform: "node",
    // Ink's own developer tools are loaded only under DEV=true and are not installed.
    external: ["react-devtools-core"],
    transform: { target: "node22", define: { "process.env.NODE_ENV": '"production"' } },
  });
  const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };
  await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "bare.mjs",
    chunkFileNames: "[name]-[hash].mjs",
    comments: false,
    minify,
  });
  await bundled.close();
  return join(folder, "bare.mjs");
}
