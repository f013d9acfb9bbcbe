import { type AskerInfo, type AskRequest, createBroker, memoryStore } from "@askbox/core";
import { type CheckFiles, keptRan, sharedMemory } from "@askbox/core/stores";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import { createAskbox } from "@askbox/inbox";
import { keymapWith, terminalActions } from "@askbox/inbox/commands";
import { App } from "../../src/app/app.ts";
import type { AppOptions } from "../../src/app/app-options.ts";
import type { ViewedPicture } from "../../src/terminal/pictures.ts";
import { createPainter } from "../../src/text/painter.ts";
import { themeWith } from "../../src/theme/theme.ts";
import { ShownFrame } from "../../src/ui/screen.ts";

export const size = { columns: 120, rows: 20, plain: false };

/** The terminal inbox with one question of an agent, in this process and without a terminal. */
export async function aScreen({
  request = {},
  once = false,
  undoDelay = 0,
  upload = () => Promise.reject(new Error("This connection takes no files.")),
  files,
  keepsRan = true,
  showsPictures = false,
}: {
  request?: Partial<AskRequest>;
  once?: boolean;
  undoDelay?: number;
  upload?: AppOptions["upload"];
  files?: CheckFiles;
  /** Default true. */
  keepsRan?: boolean;
  showsPictures?: boolean;
} = {}) {
  const platform = testPlatform();
  const { clock } = platform;
  const broker = await createBroker({
    ...platform,
    store: memoryStore(),
    ran: keepsRan ? keptRan(sharedMemory(clock).open(), { now: () => clock.now(), keep: 7 * 86_400_000 }) : undefined,
    files,
    images: async (_owner, asked) => ({
      images: asked.map(({ src: name, alt }) => ({
        name,
        mimeType: "image/png",
        size: 26_883,
        sha256: "0".repeat(64),
        width: 1_200,
        height: 720,
        alt,
      })),
      keep: async () => {},
    }),
  });
  const asker = broker.asker("owner");
  const ask = (title: string, asked: Partial<AskRequest> = {}, replaces?: string, who: Partial<AskerInfo> = {}) =>
    asker.ask(anAsk({ title, ...asked }), { asker: anAsker({ agentId: title, conversation: title, ...who }), maxWait: 0, replaces });
  const { session } = await ask("first matter", request);
  const desk = broker.desk({ surface: "terminal" });
  const askbox = createAskbox({ desk, clock });
  let left: number | undefined;
  const exit = (code: number) => {
    left = code;
  };
  const opened: string[] = [];
  const viewed: ViewedPicture[] = [];
  const openInBrowser = async (id: string) => opened.push(id) > 0;
  const host = {
    exit,
    copy: async () => "failed" as const,
    edit: async () => ({}),
    suspend() {},
    redraw() {},
    notify() {},
    showsPictures,
    viewPictures: async (pictures: readonly ViewedPicture[]) => {
      viewed.push(...pictures);
      return "closed" as const;
    },
    completePath: async (text: string) => ({ text, matches: [] }),
    droppedFiles: async () => [],
  };
  const app = new App({
    ...askbox,
    upload,
    picture: async (_session, sha256) => Buffer.from(sha256),
    ran: broker.ran,
    grants: {
      list: () => broker.grants.list(),
      remove: (id) => broker.grants.remove(id),
    },
    keymap: keymapWith(terminalActions).keymap,
    host,
    openInBrowser,
    once,
    undoDelay,
  });
  const frame = new ShownFrame(app, createPainter(themeWith({}).theme, "none"));
  askbox.inbox.start();
  // All work of the broker, the inbox and the app is done in microtasks.
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  return { app, desk, frame, ask, clock, settle, broker, id: session.id, opened, viewed, left: () => left };
}
