/**
 * A bot that answers askbox's questions from a chat. The hub's config names it in `webhooks` (`{"url": "http://…/askbox", "secretFile": "…"}`), and
 * the chat posts messages to `/chat`. docs/webhooks.md and docs/http.md describe the two interfaces.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Book } from "./book.ts";
import { Bot } from "./bot.ts";
import { fromAskbox, fromChat, Refusal, readBody } from "./requests.ts";
import { askboxAt, chatAt } from "./services.ts";

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`Set ${name}.`);
  return value;
};

const book = new Book(setting("BOT_BOOK"));
const askbox = askboxAt(setting("ASKBOX_HUB"), setting("ASKBOX_TOKEN"));
const bot = new Bot(askbox, chatAt(setting("CHAT_URL"), setting("CHAT_TOKEN"), setting("CHAT_CHANNEL")), book);
const secrets = { askbox: setting("ASKBOX_WEBHOOK_SECRET"), chat: setting("CHAT_SECRET") };

interface AskboxEvent {
  type: "session.opened" | "session.settled";
  data: { session: { id: string } };
}

interface ChatEvent {
  id: string;
  thread?: string;
  user: { name: string; isBot?: boolean };
  text: string;
}

async function serve(request: IncomingMessage): Promise<void> {
  const body = await readBody(request);
  if (request.url === "/askbox") {
    const { type, data } = fromAskbox(secrets.askbox, request.headers, body) as AskboxEvent;
    return inTurn(() => (type === "session.opened" ? bot.opened(data.session.id) : bot.settled(data.session.id)));
  }
  if (request.url !== "/chat") throw new Refusal(404, "There is nothing here.");
  const { id, thread, user, text } = fromChat(secrets.chat, request.headers, body) as ChatEvent;
  return inTurn(async () => {
    if (book.hasHeard(id)) throw new Refusal(409, "This was heard before.");
    // The chat also reports the bot's own messages.
    if (thread !== undefined && !user.isBot) await bot.replied({ thread, user: user.name, text });
    // Recorded only once processed: after a failure the chat may send it again.
    book.onEvent(id);
  });
}

let last: Promise<unknown> = Promise.resolve();
/** Runs one task at a time, so that two simultaneous replies become two answers. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = last.then(work);
  last = done.catch(() => {});
  return done;
}

const server = createServer((request, response) => {
  serve(request).then(
    () => response.writeHead(204).end(),
    (error: unknown) => {
      if (!(error instanceof Refusal)) console.error(error);
      // Both askbox and chats retry what could not be delivered.
      const { status, message } = error instanceof Refusal ? error : new Refusal(503, "Try again later.");
      response.writeHead(status).end(message);
    },
  );
});
server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
  console.log(`The bot listens on http://127.0.0.1:${(server.address() as AddressInfo).port}.`);
});
