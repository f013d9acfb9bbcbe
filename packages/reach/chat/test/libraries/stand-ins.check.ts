import { createRequire } from "node:module";
import { join } from "node:path";
import { standardPlatform } from "@askbox/core";
import { expect, onTestFinished, test } from "vitest";
import { discordChat } from "../support/discord-service.ts";
import { countedNetwork } from "../support/network.ts";
import type { Service, TestedChat } from "../support/service.ts";
import { slackChat } from "../support/slack-service.ts";
import { telegramChat } from "../support/telegram-service.ts";

/** The libraries have no types here: they are no dependencies. */
const load = createRequire(join(process.env["ASKBOX_CHAT_LIBRARIES"] ?? expect.fail("Run `pnpm test:chat-libraries`."), "package.json"));
const start = ({ start }: TestedChat) => start(standardPlatform(globalThis).clock, countedNetwork());
const sentTo = (service: Service) => service.messages[0] ?? expect.fail("Nothing was sent.");
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It was not refused."),
    (error) => error,
  );
const photo = Buffer.from("not really a photo");

test("grammY reads, writes, edits and downloads at the stand-in for Telegram, and knows its refusals", async () => {
  const service = await start(telegramChat);
  const { Bot, GrammyError, InlineKeyboard, InputFile } = load("grammy");
  const bot = new Bot(service.secrets["token"], { client: { apiRoot: service.url } });
  const texts: string[] = [];
  const files: { file_id: string; file_name: string }[] = [];
  bot.on("message:document", ({ message }: { message: { caption: string; document: (typeof files)[number] } }) => {
    texts.push(message.caption);
    files.push(message.document);
  });
  interface Press {
    callbackQuery: { data: string };
    answerCallbackQuery(answer: object): Promise<unknown>;
    editMessageText(text: string): Promise<unknown>;
  }
  bot.on("callback_query:data", async (press: Press) => {
    texts.push(press.callbackQuery.data);
    await press.editMessageText("Done");
    await press.answerCallbackQuery({ text: "Taken" });
  });
  expect(await bot.api.getMe()).toMatchObject({ username: service.bot.name, is_bot: true });
  const running = bot.start();
  service.write("hello", { files: [{ name: "a.txt", bytes: photo }] });
  await expect.poll(() => texts).toEqual(["hello"]);
  const { file_path } = await bot.api.getFile(files[0]?.file_id);
  const downloaded = await fetch(`${service.url}/file/bot${service.secrets["token"]}/${file_path}`);
  expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(photo);

  await bot.api.sendMessage(service.ada.chat, "Where?", { reply_markup: new InlineKeyboard().text("Here", "here") });
  service.press(sentTo(service), "Here");
  await expect.poll(() => service.told).toEqual(["Taken"]);
  expect(texts).toEqual(["hello", "here"]);
  const reply = { reply_parameters: { message_id: Number(sentTo(service).id) } };
  await bot.api.sendDocument(service.ada.chat, new InputFile(Buffer.from("whole"), "command.txt"), reply);
  expect(service.messages).toMatchObject([{ text: "Done", edits: 1, buttons: [], file: { name: "command.txt", text: "whole" } }]);

  service.faults.limitRate(7);
  const limited = await failure(bot.api.sendMessage(service.ada.chat, "x"));
  expect(limited).toBeInstanceOf(GrammyError);
  expect(limited).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
  await bot.stop();
  await running;
  service.faults.refuseReading("conflict");
  expect(await failure(bot.api.getUpdates())).toMatchObject({ error_code: 409 });
  service.faults.refuseReading("revoked");
  expect(await failure(bot.api.getUpdates())).toMatchObject({ error_code: 401 });
});

test("Slack's libraries connect, read, write, edit and upload at its stand-in, and know its refusals", async () => {
  const service = await start(slackChat);
  const { WebClient, ErrorCode } = load("@slack/web-api");
  const { SocketModeClient } = load("@slack/socket-mode");
  const slackApiUrl = `${service.url}/`;
  const web = new WebClient(service.secrets["botToken"], { slackApiUrl, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } });
  const socket = new SocketModeClient({ appToken: service.secrets["appToken"], clientOptions: { slackApiUrl } });
  onTestFinished(() => socket.disconnect());
  interface Envelope {
    type: string;
    body: { event?: { text: string }; actions?: { value: string }[] };
    ack(): Promise<void>;
  }
  const got: unknown[] = [];
  socket.on("slack_event", async ({ type, body, ack }: Envelope) => {
    got.push([type, body.event?.text ?? body.actions?.[0]?.value]);
    await ack();
  });
  expect(await web.auth.test()).toMatchObject({ ok: true, user_id: service.bot.id });
  await socket.start();
  service.write("hello");
  await expect.poll(() => got).toEqual([["events_api", "hello"]]);

  const { chat } = service.ada;
  const button = { type: "button", action_id: "here", value: "here", text: { type: "plain_text", text: "Here" } };
  const { ts } = await web.chat.postMessage({ channel: chat, text: "Where?", blocks: [{ type: "actions", elements: [button] }] });
  const taken = new Promise<void>((resolve) => service.onTaken(resolve));
  service.press(sentTo(service), "Here");
  await expect.poll(() => got).toContainEqual(["interactive", "here"]);
  // The stand-in has the library's acknowledgement.
  await taken;
  await web.chat.update({ channel: chat, ts, text: "Done" });
  await web.files.uploadV2({ channel_id: chat, thread_ts: ts, file: Buffer.from("whole"), filename: "command.txt" });
  expect(sentTo(service)).toMatchObject({ edits: 1, file: { name: "command.txt", text: "whole" } });

  service.faults.limitRate(7);
  expect(await failure(web.chat.postMessage({ channel: chat, text: "x" }))).toMatchObject({
    code: ErrorCode.RateLimitedError,
    retryAfter: 7,
  });
  const reads = service.reads();
  service.faults.drop();
  await expect.poll(() => service.reads() > reads && service.isRead()).toBe(true);
  service.write("again");
  await expect.poll(() => got).toContainEqual(["events_api", "again"]);
});

test("discord.js's libraries identify, resume, read, write and edit at the stand-in for Discord, and know its refusals", async () => {
  const service = await start(discordChat);
  const { REST, RateLimitError } = load("@discordjs/rest");
  const { WebSocketManager } = load("@discordjs/ws");
  const { token } = service.secrets;
  const rest = new REST({ api: service.url, version: "10", retries: 0, rejectOnRateLimit: () => true }).setToken(token);
  const directMessages = 1 << 12;
  const gateway = new WebSocketManager({ token, intents: directMessages, rest, fetchGatewayInformation: () => rest.get("/gateway/bot") });
  onTestFinished(() => gateway.destroy());
  interface Dispatched {
    t: string;
    d: { id: string; token: string; content?: string; data?: { custom_id?: string; values?: string[] } };
  }
  const got: Dispatched[] = [];
  let resumed = 0;
  gateway.on("dispatch", (sent: Dispatched & { data?: Dispatched }) => got.push(sent.data ?? sent));
  gateway.on("resumed", () => {
    resumed += 1;
  });
  gateway.on("error", () => {});
  expect(await rest.get("/users/@me")).toMatchObject({ id: service.bot.id, username: service.bot.name });
  await gateway.connect();
  service.write("hello");
  await expect.poll(() => got.map(({ d }) => d.content)).toContain("hello");

  const { chat } = service.ada;
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Here", custom_id: "here" }] }];
  const { id } = await rest.post(`/channels/${chat}/messages`, { body: { content: "Where?", components } });
  service.press(sentTo(service), "Here");
  const pressed = () => got.find(({ t }) => t === "INTERACTION_CREATE")?.d;
  await expect.poll(() => pressed()?.data?.values?.[0] ?? pressed()?.data?.custom_id).toBe("here");
  const told = { type: 4, data: { content: "Taken", flags: 64 } };
  await rest.post(`/interactions/${pressed()?.id}/${pressed()?.token}/callback`, { body: told, auth: false });
  expect(service.told).toEqual(["Taken"]);
  const files = [{ name: "command.txt", data: Buffer.from("whole") }];
  const attachments = [{ id: 0, filename: "command.txt" }];
  await rest.patch(`/channels/${chat}/messages/${id}`, { body: { content: "Done", attachments }, files });
  expect(service.messages).toMatchObject([{ text: "Done", edits: 1, file: { name: "command.txt", text: "whole" } }]);

  service.faults.limitRate(7);
  const limited = await failure(rest.post(`/channels/${chat}/messages`, { body: { content: "x" } }));
  expect(limited).toBeInstanceOf(RateLimitError);
  expect(Math.floor(limited.retryAfter / 1_000)).toBe(7);
  service.faults.drop();
  service.write("while it was away");
  await expect.poll(() => resumed).toBe(1);
  await expect.poll(() => got.map(({ d }) => d.content)).toContain("while it was away");
});
