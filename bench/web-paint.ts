import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { WebSocketServer } from "ws";
import { launchBrowser, visit } from "../tests/web/support/browser.ts";
import { atMost, type BenchRow, interleave, median } from "./harness.ts";
import { startHub } from "./parts/start-hub.ts";

const rounds = 60;
/** Milliseconds of silence before each measurement. */
const idle = 50;

/** What the pages keep of when each question was first on the screen: by its name, in ms since the epoch. */
declare global {
  interface Window {
    painted: Record<string, number>;
  }
}

/** From an agent's ask to the first frame on which the question can be read, in an inbox that is open. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const bare = await startBarePage();
  const browser = await launchBrowser();
  try {
    const { page: inbox } = await visit(browser, await hub.ask("login"));
    await inbox.locator(".header").waitFor();
    const { page: floor } = await visit(browser, bare.url);
    const { asker } = await hub.connect("asker");
    const inInbox = await watchPaints(inbox);
    const inFloor = await watchPaints(floor);
    let round = 0;
    const measured = await interleave(rounds, {
      async floor() {
        round += 1;
        return inFloor(`floor-${round}`, async (name) => bare.send(name));
      },
      askbox: () =>
        inInbox(`question-${round}`, async (name) => {
          await asker.ask(
            { questions: [{ id: "q", type: "text", question: name, required: true }], timeout: 1_800_000 },
            { asker: { client: { name: "bench", version: "1" }, project: "/bench" }, maxWait: 0 },
          );
        }),
    });
    const name = "question asked to painted in the browser, p50; floor: a bare page";
    return [atMost({ id: "web-paint", name, floor: median(measured.floor), askbox: median(measured.askbox), unit: "ms" }, 60)];
  } finally {
    await browser.close();
    await bare.close();
    await hub.close();
  }
}

/** A page that does nothing but show what a WebSocket says. */
async function startBarePage(): Promise<{ url: string; send(text: string): void; close(): Promise<void> }> {
  const script = `new WebSocket("ws://" + location.host).onmessage = ({ data }) => {
    const item = document.createElement("p");
    item.textContent = data;
    document.body.append(item);
  };`;
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>bare</title><body><script>${script}</script></body>`);
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(text) {
      for (const socket of sockets.clients) socket.send(text);
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Measure = (name: string, ask: (name: string) => Promise<void>) => Promise<number>;

/** Notes in the page when a text is painted, on a clock that is set against this process's. */
async function watchPaints(page: Page): Promise<Measure> {
  await page.evaluate(() => {
    window.painted = {};
    const seen = new Set<string>();
    const look = () => {
      const names = (document.body.textContent ?? "").match(/(?:floor|question)-\d+/g) ?? [];
      const fresh = names.filter((name) => !seen.has(name));
      if (fresh.length === 0) return;
      for (const name of fresh) seen.add(name);
      // A message that is sent within a frame's callbacks comes after the frame was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          for (const name of fresh) window.painted[name] = performance.timeOrigin + performance.now();
        };
        port2.postMessage(null);
      });
    };
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  return async (name, ask) => {
    await page.bringToFront();
    await pause(idle);
    const ahead = await clockAhead(page);
    const asked = performance.timeOrigin + performance.now();
    await ask(name);
    const handle = await page.waitForFunction((wanted) => window.painted[wanted], name);
    return Number(await handle.jsonValue()) - ahead - asked;
  };
}

/** By how many ms the page's clock is ahead of this process's: of several looks the one that took the least time. */
async function clockAhead(page: Page): Promise<number> {
  let best = { took: Number.POSITIVE_INFINITY, ahead: 0 };
  for (let look = 0; look < 5; look += 1) {
    const before = performance.timeOrigin + performance.now();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const after = performance.timeOrigin + performance.now();
    if (after - before < best.took) best = { took: after - before, ahead: there - (before + after) / 2 };
  }
  return best.ahead;
}
