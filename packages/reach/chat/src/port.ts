import type { Clock, Log } from "@askbox/core";
import { maxFiles } from "@askbox/core/questions";
import * as z from "zod";
import type { Fetch, Fetched } from "./http.ts";
import type { OpenSocket } from "./socket.ts";

/**
 * A chat service in which people are asked. To add one, add a folder with one of these, a line in `platforms.ts`, a page of docs and its
 * stand-in for the contract suite. It knows nothing of questions: it posts and edits messages, and reports presses and texts.
 */
export interface ChatPlatform {
  title: string;
  /** What the bot needs to log in, in the order in which a person is asked for it. */
  secrets: readonly ChatSecret[];
  limits: ChatLimits;
  /** What a command begins with there. */
  mark: "/" | "!";
  /** Where the service is, unless the settings name another place. */
  api: string;
  /** Who the bot is. Throws `VALIDATION` with one sentence if its secrets are wrong. */
  identify(access: ChatAccess): Promise<ChatIdentity>;
  /** How a person reaches the bot, or brings it into a group, as a clause: `open https://t.me/my_bot`. A long link has a line of its own. */
  reach(bot: ChatIdentity, isGroup: boolean): readonly string[];
  /** What a person sends in a group, so that the bot sees the code there. */
  groupCode(code: string, bot: ChatIdentity): string;
  /** Whether the service tells of an event again until it is confirmed. Otherwise it is kept here until it has taken effect. */
  keepsEvents: boolean;
  /** Whether a post that is repeated under the same name appears once. */
  postsOnce: boolean;
  /** Posts one message without reading anything. */
  send(access: ChatAccess, chat: string, message: ChatMessage, once: string): Promise<Sent>;
  /** Posts and edits, and reads what people do until it is closed. */
  connect(options: ConnectOptions): ChatConnection;
}

interface ChatSecret {
  name: string;
  /** What a person is asked for. */
  ask: string;
  form: RegExp;
}

export interface ChatLimits {
  /** How long one message can be, and how long a text is, as the service counts. A text may not count less than a part of it. */
  text: number;
  measure(text: string): number;
  /** Characters of a button's label that are sure to be seen. */
  label: number;
  /** Buttons of a message, and in one row. */
  buttons: number;
  row: number;
  /** Options of a menu, which holds the answers that are too many for buttons; 0 if there are no menus. */
  menu: number;
  /** Bytes of a file that a bot can fetch. */
  file: number;
  /** Milliseconds between two messages to one chat. */
  gap: number;
  /** Messages a minute in one group. */
  groupMinute: number;
}

const identitySchema = z.object({ id: z.string(), name: z.string() });
/** An account's id, which never changes, and the name that it shows. */
export type ChatIdentity = z.output<typeof identitySchema>;

/** How the service is reached. */
export interface ChatAccess {
  secrets: Readonly<Record<string, string>>;
  api: string;
  clock: Clock;
  fetch: Fetch;
}

export interface ConnectOptions extends ChatAccess {
  openSocket: OpenSocket;
  log: Log;
  /** From where to go on reading; undefined to begin with what comes now. */
  cursor: string | undefined;
  /** Takes what a person did. If it rejects, that is taken again later. */
  onEvent(event: ChatEvent): Promise<Reaction>;
  /** Stores that everything up to here was taken. What the service is told as received comes after it. */
  confirm(cursor?: string): Promise<void>;
  /** A message now asks for a text. */
  onPrompt(chat: string, message: string, action: string): void;
  /** A group has another id now. Its messages can be changed there if they were kept. */
  onMoved(from: string, to: string, areMessagesKept: boolean): Promise<void>;
  /** The service can be reached again. */
  onReady(): void;
}

export interface ChatConnection {
  /** `once` identifies the message, for services that can recognise a repeated one. */
  post(chat: string, message: ChatMessage, once: string): Promise<Sent>;
  edit(chat: string, id: string, message: ChatMessage): Promise<Sent>;
  /** The content of a file that a person sent, of at most so many bytes. Never rejects. */
  fetchFile(file: SentFile, most: number): Promise<Fetched>;
  /** The event with the names of its person and group, where the service reports only their ids. */
  named?(event: ChatEvent): Promise<ChatEvent>;
  /** Why nothing is read; undefined if it is. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/**
 * What came of sending. `unknown`: it may have arrived, and is not sent again. `later`: it did not, and may be sent again, after `after` ms.
 * `never`: it was refused, and would be again.
 */
export type Sent = { ok: true; id: string } | { ok: false; kind: "unknown" | "later" | "never"; why: string; after?: number | undefined };

/** A message of the bot. Nothing in it is markup: a platform escapes every text. */
export interface ChatMessage {
  parts: readonly Part[];
  rows: readonly (readonly ChatButton[])[];
  menu?: { placeholder: string; options: readonly ChatButton[] } | undefined;
  /** A file with everything, if the parts are cut. */
  file?: { name: string; text: string } | undefined;
  /** The message that this one answers. */
  replyTo?: string | undefined;
}

/** Text of one kind. `code` is shown letter by letter. */
export interface Part {
  as: "bold" | "text" | "code";
  text: string;
}

export interface ChatButton {
  /** What a press sends: at most 60 letters, digits, hyphens, underscores and dots. */
  id: string;
  label: string;
  look?: "good" | "bad" | undefined;
  /** The address that it opens, instead of sending something. */
  link?: string | undefined;
}

/** A text that a person is asked for: in a form, or by a reply. */
export interface TextRequest {
  /** The action that the text is for. */
  action: string;
  title: string;
}

const sentFileSchema = z.object({
  name: z.string().max(300),
  /** Bytes, as the service says; 0 if it doesn't. */
  size: z.number(),
  /** What the service needs to hand it over. */
  ref: z.string().max(2_000),
});
/** A file that a person sent, which has not been fetched. */
export type SentFile = z.output<typeof sentFileSchema>;

/** What a person did: pressed a button or filled in its form, or wrote something. */
export const eventSchema = z.object({
  /** The same for a repeated event. */
  id: z.string(),
  chat: z.string(),
  isGroup: z.boolean(),
  /** The group's title. */
  chatTitle: z.string().optional(),
  from: identitySchema,
  /** A press: the button's id, and the message that it is in. */
  action: z.string().optional(),
  message: z.string().optional(),
  /** What was written; of a form, what was filled in. */
  text: z.string().optional(),
  /** The text's own message, and the one that it answers. */
  own: z.string().optional(),
  replyTo: z.string().optional(),
  files: z.array(sentFileSchema).max(maxFiles).optional(),
  /** Whether more messages belong to it, so that it is not a whole answer. */
  isPart: z.boolean().optional(),
});
export type ChatEvent = z.output<typeof eventSchema>;

/** What the person is told or asked for at once. */
export interface Reaction {
  tell?: string | undefined;
  /** Whether the question's own message says so, too: where telling takes a message, it is not told. */
  isShown?: boolean | undefined;
  ask?: TextRequest | undefined;
}
