import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, type AskRequest, createBroker, type Desk, memoryStore, type Question } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import type { AttentionRules } from "@askbox/notify";
import { expect } from "vitest";
import { type Chat, changeDesk, type DeskSettings, readChatSettings, startChat } from "../../src/index.ts";
import type { ChatFiles } from "../../src/interaction.ts";
import { afterwards, countedNetwork } from "./network.ts";
import type { Seen, Service, TestedChat } from "./service.ts";

export const option = (value: string, rest = {}) => ({ value, label: value, ...rest });
export const question = (type: string, rest: object = {}) =>
  ({ id: "q_1", type, question: "Where to?", required: true, ...rest }) as Question;
export const select = (names: readonly string[], rest: object = {}) =>
  question("select", { options: names.map((name) => option(name)), allowOther: true, ...rest });
export const permission = (action: object, rest: object = {}) =>
  question("approval", { question: "May I?", action: { kind: "command", tool: "Bash", ...action }, ...rest });
export const staging: Partial<AskRequest> = { title: "Deploy", questions: [select(["Staging", "Production"])] };
/** Settings of a desk, which depend on the service's ids. */
type Settings = (service: Service) => Partial<DeskSettings>;
/** Questions come to Ada's own chat, where actions can be allowed. */
export const allowing: Settings = ({ ada }) => ({ places: [{ chat: ada.chat, members: [{ person: ada.id, allow: true }] }] });
/** Questions come to the group, where Ada and Grace may answer. */
export const inTeam: Settings = ({ team, ada, grace }) => ({
  places: [{ ...team, members: [ada, grace].map(({ id }) => ({ person: id, allow: false })) }],
  people: [ada, grace].map(({ id, name }) => ({ id, name })),
});

/** Names that a plain object has by itself, or takes for something else. */
export const ownKeys = ["constructor", "toString", "hasOwnProperty", "__proto__"];

/** Desks at which answering the question `Broken` fails, otherwise than by the store. */
export const fatalEvents =
  (broker: { desk(actor: Actor): Desk }) =>
  (surface: string, name: string): Desk => {
    const desk = broker.desk({ surface, name });
    const answer: Desk["answer"] = async (id, ...rest) => {
      if ((await desk.get(id)).title === "Broken") throw new TypeError("Cannot read properties of undefined");
      return desk.answer(id, ...rest);
    };
    return Object.assign(Object.create(desk), { answer, attend: (id: string) => desk.attend(id), get: (id: string) => desk.get(id) });
  };

export interface SceneOptions {
  settings?: Settings;
  rules?: AttentionRules;
  denialDigest?: number;
  undo?: number;
  /** Whether several hubs share an inbox. */
  isShared?: boolean;
  /** Whether it starts by itself. Default: yes. */
  starts?: boolean;
}

/** A real broker and chat desk with a virtual clock, a stand-in for the service, and Ada in her own chat with the bot. */
export async function scene(
  chat: TestedChat,
  { settings = () => ({}), rules, denialDigest, undo = 0, isShared = false, starts = true }: SceneOptions = {},
) {
  const network = countedNetwork();
  const { clock, ...platform } = testPlatform({ settle: network.settle });
  const service = await chat.start(clock, network);
  const shared = isShared ? sharedMemory(clock).open() : undefined;
  const store = memoryStore();
  // As the hub does it, in memory: a type by the first bytes, and a limit.
  const stored = new Map<string, { name: string; text: string }>();
  const files: ChatFiles = {
    most: 1_000_000,
    async put({ upload, bytes }) {
      const text = Buffer.from(bytes).toString("latin1");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      stored.set(sha256, { name: upload, text });
      return { sha256, size: bytes.byteLength, mimeType: text.startsWith("\x89PNG") ? "image/png" : "text/plain" };
    },
  };
  const picture = { mimeType: "image/png", size: 9, sha256: "0".repeat(64), width: 3, height: 2 };
  const broker = await createBroker({
    store,
    ...platform,
    clock,
    files: async (_session, answers) => [...answers],
    images: async (_owner, asked) => ({ images: asked.map(({ src }) => ({ ...picture, name: src })), keep: async () => {} }),
  });
  afterwards(() => broker.close());
  const asker = broker.asker("owner");
  const desk = broker.desk({ surface: "web", name: "Grace" });
  // The broker loads some of its parts late; loading takes time that the virtual clock does not know of.
  await desk.conversations();
  const folder = mkdtempSync(join(tmpdir(), "askbox-chat-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "chat.json");
  const { name, ada } = service;
  const own: DeskSettings = {
    secrets: service.secrets,
    bot: service.bot,
    api: service.url,
    after: 0,
    people: [{ id: ada.id, name: ada.name }],
    places: [{ chat: ada.chat, members: [{ person: ada.id, allow: false }] }],
    ...settings(service),
  };
  await changeDesk(file, name, () => own);
  const log: string[] = [];
  /** What became of messages. */
  const results: string[] = [];
  const chats: Chat[] = [];
  const open = async (more: Partial<Parameters<typeof startChat>[0]> = {}) => {
    const opened = await startChat({
      file,
      clock,
      rules,
      denialDigest,
      undo,
      files,
      shared,
      fetch: network.fetch,
      openSocket: network.openSocket,
      desk: broker.desk({ surface: "api" }),
      deskOf: (surface, person) => broker.desk({ surface, name: person }),
      log: (_level, message, data) => log.push(data === undefined ? message : `${message} ${JSON.stringify(data)}`),
      meter: (channel, result) => results.push(`${channel} ${result}`),
      ...more,
    });
    chats.push(opened);
    afterwards(() => opened.close());
    return opened;
  };
  const running = starts ? await open() : undefined;
  let asks = 0;
  const ask = async (request: Partial<AskRequest> = staging, about: Parameters<typeof anAsker>[0] = {}) => {
    asks += 1;
    const by = { client: { name: "claude-code" }, project: "/home/ada/engine", branch: "main", ...about };
    return (await asker.ask(anAsk(request), { asker: anAsker(by), key: `ask-${asks}`, maxWait: 0 })).session.id;
  };
  /** Moves the clock, in steps of a quarter of a second, until it is so. */
  const until = async <Value>(
    what: () => Value | undefined | false | Promise<Value | undefined | false>,
    within = 120_000,
  ): Promise<Value> => {
    for (let passed = 0; passed <= within; passed += 250) {
      const value = await what();
      if (value !== undefined && value !== false) return value;
      await clock.advance(250);
    }
    return expect.fail(
      `It did not happen within ${within} ms: ${what}\n${JSON.stringify(service.messages, undefined, 1)}\nTOLD ${service.told.join("; ")}\nREFUSED ${service.refused.join("; ")}\nREADS ${service.reads()} AT ${clock.monotonic()}\n${log.join("\n")}`,
    );
  };
  const last = (chatId = ada.chat): Seen | undefined => service.messages.findLast((message) => message.chat === chatId);
  return {
    stored,
    service,
    clock,
    broker,
    asker,
    desk,
    file,
    folder,
    log,
    results,
    open,
    chat: running,
    chats,
    ask,
    /** Starts it again, and waits until it reads. */
    async again() {
      await Promise.all(chats.map((each) => each.close()));
      const before = service.reads();
      await open();
      await until(() => service.reads() > before && service.isRead());
    },
    until,
    last,
    network,
    settings: () => readChatSettings(file)[name],
    state: () => JSON.parse(readFileSync(join(folder, `chat-${name}.json`), "utf8")),
    /** Asks, and waits until it is posted. */
    async posted(request?: Partial<AskRequest>, chatId = ada.chat) {
      const before = service.messages.length;
      const id = await ask(request);
      return { id, message: await until(() => service.messages.slice(before).find((message) => message.chat === chatId)) };
    },
    shows: (message: Seen, text: string | RegExp, within?: number) =>
      until(() => (typeof text === "string" ? message.text.includes(text) : text.test(message.text)), within),
    told: (text: string) =>
      until(() => service.told.some((said) => said.includes(text)) || service.messages.some((said) => said.text.includes(text))),
    /** Fills in what a person is asked for by the last press. */
    async fill(text: string, files?: Parameters<typeof service.fill>[1]) {
      await until(() => service.asked());
      service.fill(text, files);
    },
    outcome: (id: string) => until(async () => (await desk.get(id)).outcome),
    status: async (id: string) => (await desk.get(id)).status,
    labels: ({ buttons }: Seen) => buttons.map(({ label }) => label),
  };
}
