import { performance } from "node:perf_hooks";
import { createBroker, memoryStore, parseAsk } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createAskbox } from "@askbox/inbox";
import { keymapWith, terminalActions } from "@askbox/inbox/commands";
import { expect, test } from "vitest";
import { App } from "../../apps/tui/src/app/app.ts";
import { loadRichText } from "../../apps/tui/src/markdown/rich-text.ts";
import { createPainter } from "../../apps/tui/src/text/painter.ts";
import { themeWith } from "../../apps/tui/src/theme/theme.ts";
import { ShownFrame } from "../../apps/tui/src/ui/screen.ts";
import { attackedHub } from "./support/attacked-hub.ts";
import { bigAsks } from "./support/big-fields.ts";

// promise: asker-info-bounded, requests-bounded
test("asks with every field at its maximum cost the hub little, and its commands show them", { tags: "nightly" }, async () => {
  const hub = await attackedHub();
  const asks = bigAsks();
  for (const body of asks) {
    const response = await hub.fetch("/api/sessions", { as: "asker", method: "POST", body });
    expect([response.status, response.ok ? "" : await response.text()]).toEqual([201, ""]);
    await response.arrayBuffer();
  }
  const { items } = (await (await hub.fetch("/api/sessions?limit=1000", { as: "desk" })).json()) as { items: { id: string }[] };
  expect(items.length).toBeGreaterThan(0);
  const listed = await hub.home.run(["list", "--json"]);
  expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, expect.any(Array)]);
  expect((await hub.home.run(["show", items[0]?.id ?? ""])).code).toBe(0);
  const { memory, stall } = await hub.cost();
  expect(memory).toBeLessThan(400);
  expect(stall).toBeLessThan(5_000);
});

const large = 300;
const megabyte = 1_048_576;

/** The terminal inbox without its screen, on an inbox with all big asks and many more. */
async function terminalInbox() {
  const platform = testPlatform();
  const { clock } = platform;
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const asker = broker.asker("owner");
  const requests = bigAsks().map(({ agentId, project, key: _, ...input }) => {
    const request = parseAsk(input, { ids: platform.ids });
    return { request, info: { client: { name: "attacker" }, agentId, project } };
  });
  for (let number = 0; number < large; number += 1) {
    const { request, info } = requests[number % requests.length] as (typeof requests)[number];
    await asker.ask(request, { asker: info, key: `${number}`, maxWait: 0, earlier: false });
  }
  await loadRichText();
  const askbox = createAskbox({ desk: broker.desk({ surface: "terminal" }), clock });
  const host = {
    exit() {},
    copy: async () => "failed" as const,
    edit: async () => ({}),
    suspend() {},
    redraw() {},
    notify() {},
    showsPictures: false,
    viewPictures: async () => "closed" as const,
    completePath: async (text: string) => ({ text, matches: [] }),
    droppedFiles: async () => [],
  };
  const upload = () => Promise.reject(new Error("Nothing is attached here."));
  const picture = () => Promise.reject(new Error("There are no pictures here."));
  const app = new App({
    ...askbox,
    upload,
    picture,
    grants: broker.grants,
    ran: broker.ran,
    keymap: keymapWith(terminalActions).keymap,
    host,
  });
  const frame = new ShownFrame(app, createPainter(themeWith({}).theme, "none"));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { app, frame, inbox: askbox.inbox, settle, close: () => broker.close() };
}

// promise: large-inbox-served
test("a large inbox of such asks delays the terminal inbox only for a moment, with little memory", { tags: "nightly" }, async () => {
  const { app, frame, inbox, settle, close } = await terminalInbox();
  const before = process.memoryUsage().rss;
  let longest = 0;
  const timed = async (work: () => void) => {
    const began = performance.now();
    work();
    const { lines } = frame.at({ columns: 120, rows: 40, plain: false });
    longest = Math.max(longest, performance.now() - began);
    expect(lines).toHaveLength(40);
    await settle();
  };
  const key = (name: string) => timed(() => app.handleKey({ name }));
  await timed(() => inbox.start());
  expect(inbox.getState().pending.size).toBe(large);
  for (let row = 0; row < 24; row += 1) {
    await key("return");
    await key("pagedown");
    await key("escape");
    await key("down");
  }
  expect(longest).toBeLessThan(5_000);
  expect((process.memoryUsage().rss - before) / megabyte).toBeLessThan(800);
  await close();
});
