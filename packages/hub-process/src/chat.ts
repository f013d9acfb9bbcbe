import { existsSync, unwatchFile, watchFile } from "node:fs";
import type { Chat, ChatOptions, ChatStatus } from "@askbox/chat";

/** How often the file is looked at, in ms: a person who pairs waits for it. */
const lookEvery = 1_000;

/** The chat desks of this home, as they are configured now. */
export interface HubChat {
  status(): ChatStatus[];
  close(): Promise<void>;
}

/** Runs the chat desks of a home, and follows its file. What talks to chats is loaded only where there is one. */
export async function followChat(options: ChatOptions): Promise<HubChat> {
  const { file } = options;
  let chat: Chat | undefined;
  let isClosed = false;
  let turn: Promise<void> = Promise.resolve();
  const look = async () => {
    if (isClosed || (chat === undefined && !existsSync(file))) return;
    if (chat === undefined) chat = await (await import("@askbox/chat")).startChat(options);
    else await chat.reload();
  };
  const next = () => {
    turn = turn.then(look);
  };
  next();
  watchFile(file, { interval: lookEvery, persistent: false }, next);
  await turn;
  return {
    status: () => chat?.status() ?? [],
    async close() {
      isClosed = true;
      unwatchFile(file, next);
      await turn;
      await chat?.close();
    },
  };
}
