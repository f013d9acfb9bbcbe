import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "@askbox/store-redis/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "../command/support/home.ts";
import { until } from "../faults/support/until.ts";
import { program } from "../setup/programs.ts";

const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const chatSecret = "of the chat";

interface Message {
  id: string;
  channel: string;
  thread?: string;
  text: string;
}

/** A chat with one channel, which is `down` while a test says so. */
async function openChat() {
  const messages: Message[] = [];
  let isDown = false;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
    if (isDown || request.headers.authorization !== "Bearer chat-token") return void response.writeHead(isDown ? 500 : 401).end();
    const message = { id: `m${messages.length + 1}`, ...body };
    messages.push(message);
    response.end(JSON.stringify({ id: message.id }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    says: (text: string | RegExp) => until(`the chat has ${text}`, () => messages.find((message) => message.text.match(text) !== null)),
    down(now: boolean) {
      isDown = now;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let home: Home;
let chat: Awaited<ReturnType<typeof openChat>>;
let botUrl: string;
let token: string;
let bot: ChildProcess | undefined;

/** Writes the hub's config, creates the token, which starts the hub, and starts the bot. */
async function begin(events: readonly string[]): Promise<void> {
  botUrl = `http://127.0.0.1:${await freePort()}`;
  await writeFile(join(home.path, "hook-secret"), webhookSecret);
  const target = { url: `${botUrl}/askbox`, secretFile: "hook-secret", events, text: false };
  await writeFile(join(home.path, "config.json"), JSON.stringify({ webhooks: [target] }));
  token = (await home.run(["token", "create", "bot", "--scope", "desk", "--on-behalf"])).stdout.trim();
  await startBot();
}

async function startBot(): Promise<void> {
  const [node, script] = program("chat-bot");
  const started = spawn(node, [script], {
    env: {
      PATH: process.env["PATH"],
      PORT: new URL(botUrl).port,
      BOT_BOOK: join(home.path, "book.json"),
      ASKBOX_HUB: JSON.parse(await readFile(join(home.path, "hub.json"), "utf8")).url,
      ASKBOX_TOKEN: token,
      ASKBOX_WEBHOOK_SECRET: webhookSecret,
      CHAT_SECRET: chatSecret,
      CHAT_URL: chat.url,
      CHAT_TOKEN: "chat-token",
      CHAT_CHANNEL: "deploys",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  bot = started;
  await Promise.race([
    once(started.stdout, "data"),
    once(started, "exit").then(([code]) => Promise.reject(new Error(`It ended: ${code}.`))),
  ]);
}

async function stopBot(): Promise<void> {
  const ending = bot;
  bot = undefined;
  if (ending?.kill()) await once(ending, "exit");
}

beforeEach(async () => {
  home = await openHome();
  chat = await openChat();
});
afterEach(async () => {
  await stopBot();
  await home.close();
  chat.close();
});

let replies = 0;
function replyEvent(thread: string, text: string, user: object = { name: "Ada" }): object {
  replies += 1;
  return { id: `e${replies}`, thread, user, text };
}

/** Posts a message from the chat to the bot, signed at a given time; resolves with the status. */
async function post(event: object, { at = Date.now(), secret = chatSecret } = {}): Promise<number> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(at / 1_000));
  const signature = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
  const headers = { "x-chat-timestamp": timestamp, "x-chat-signature": signature };
  return (await fetch(`${botUrl}/chat`, { method: "POST", headers, body })).status;
}

const reply = (thread: string, text: string) => post(replyEvent(thread, text));

const both = ["session.opened", "session.settled"];
const database = { question: "Which <!channel> database?", type: "select", options: ["SQLite", { label: "Postgres", value: "pg" }] };

test("a question becomes a thread, and the reply in it is sent to the agent in the person's name", async () => {
  await begin(both);
  const asked = home.start(["ask", "--file", "-", "--json"], { stdin: JSON.stringify({ questions: [database] }) });
  const { id, text, channel } = await chat.says("database");
  expect(channel).toBe("deploys");
  expect(text).toMatch(
    /^askbox.* asks: \nWhich &lt;!channel&gt; database\?\n1\. SQLite\n2\. Postgres\nReply with an option's number or name\./,
  );
  expect(await reply(id, "2")).toBe(204);
  expect(JSON.parse((await asked.done).stdout)).toMatchObject({
    answered: true,
    answers: [{ values: ["pg"] }],
    answeredBy: { surface: "api", name: "Ada" },
  });
  expect(chat.messages.at(-1)).toMatchObject({ thread: id, text: "Sent. It was answered (Ada, api): Postgres" });
});

test("several questions are asked one after the other, even after a restart of the bot, and invalid replies are asked again", async () => {
  await begin(both);
  const questions = [
    database,
    { question: "May it be replaced?", type: "confirm" },
    { question: "How many?", type: "number", max: 9 },
    { question: "Where?", type: "multi-select", options: ["Linux", "macOS"] },
    { question: "Anything else?", required: false },
  ];
  const asked = home.start(["ask", "--file", "-", "--json"], { stdin: JSON.stringify({ questions }) });
  const { id } = await chat.says(/1 of 5: Which/);
  await reply(id, "an oracle");
  await chat.says(/2 of 5: May it be replaced\?\n1\. Yes\n2\. No/);
  await stopBot();
  await startBot();
  await reply(id, "YES");
  await chat.says("3 of 5: How many?");
  await reply(id, "12");
  await chat.says("4 of 5: Where?");
  await reply(id, "2, the moon");
  await chat.says(/5 of 5: Anything else\?\nReply with .*"skip"/);
  await reply(id, "skip");
  const again = await chat.says(/9.*\n3 of 5: How many\?/);
  expect(again.thread).toBe(id);
  await reply(id, "7");
  expect(JSON.parse((await asked.done).stdout).answers).toMatchObject([
    { values: [], customText: "an oracle" },
    { values: ["yes"] },
    { values: ["7"] },
    { values: ["macOS"], customText: "the moon" },
    { values: [] },
  ]);
});

test("a person who replies second is told the outcome", async () => {
  // The bot is not told about the settlement, so its reply comes too late.
  await begin(["session.opened"]);
  const asked = home.start(["ask", "Deploy?", "--type", "confirm"]);
  const { id } = await chat.says("Deploy?");
  const [, session = ""] = await asked.says(/Asked as (\w{8})/);
  await home.run(["answer", session, "no"]);
  expect((await asked.done).stdout).toBe("no\n");
  await reply(id, "yes");
  expect(chat.messages.at(-1)?.text).toMatch(/^Somebody else was first\. It was answered \(.*cli\): No$/);
  await reply(id, "but yes!");
  expect(chat.messages.at(-1)?.text).toMatch(/^Too late\..*It was answered \(.*cli\): No$/);
});

test("the thread shows how a session ended elsewhere, and that it was declined here", async () => {
  await begin(both);
  const elsewhere = home.start(["ask", "Elsewhere?"]);
  const { id } = await chat.says("Elsewhere?");
  const [, session = ""] = await elsewhere.says(/Asked as (\w{8})/);
  await home.run(["cancel", session, "--reason", "not now"]);
  expect(await chat.says("not now")).toMatchObject({ thread: id, text: expect.stringMatching(/^It was turned down \(.*cli\)\. not now$/) });
  const here = home.start(["ask", "Here?"]);
  await reply((await chat.says("Here?")).id, "cancel");
  expect(await here.done).toMatchObject({ code: 3, stderr: expect.stringContaining("In the chat.") });
});

test("the bot reads only its own chat, and each message once", async () => {
  await begin(both);
  const asked = home.start(["ask", "--file", "-", "--json"], { stdin: JSON.stringify({ questions: [database, database] }) });
  const { id } = await chat.says("1 of 2");
  const event = replyEvent(id, "1");
  expect(await post(event, { secret: "of somebody else" })).toBe(401);
  expect(await post(event, { at: Date.now() - 3_600_000 })).toBe(401);
  expect(await post(replyEvent(id, "its own question", { name: "askbox", isBot: true }))).toBe(204);
  expect(await post(event)).toBe(204);
  expect(await post(event)).toBe(409);
  expect(chat.messages.at(-1)?.text).toMatch(/^2 of 2/);
  const forged = await fetch(`${botUrl}/askbox`, { method: "POST", body: '{"type":"session.opened","data":{"session":{"id":"x"}}}' });
  expect(forged.status).toBe(401);
  await reply(id, "2");
  expect(JSON.parse((await asked.done).stdout).answers).toMatchObject([{ values: ["SQLite"] }, { values: ["pg"] }]);
});

test("a reply that the bot could not process may be sent again", async () => {
  await begin(both);
  const asked = home.start(["ask", "--file", "-", "--json"], { stdin: JSON.stringify({ questions: [database, database] }) });
  const { id } = await chat.says("1 of 2");
  const event = replyEvent(id, "1");
  chat.down(true);
  expect(await post(event)).toBe(503);
  chat.down(false);
  expect(await post(event)).toBe(204);
  await reply(id, "2");
  expect(JSON.parse((await asked.done).stdout).answers).toMatchObject([{ values: ["SQLite"] }, { values: ["pg"] }]);
});
