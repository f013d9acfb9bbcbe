import type { IncomingMessage } from "node:http";
import type { Clock } from "@askbox/core";
import type { PlatformName } from "../../src/index.ts";
import type { Network } from "./network.ts";

/** The parts of a request's body; undefined if it has another type. */
export async function formOf({ headers }: IncomingMessage, raw: Buffer<ArrayBuffer>): Promise<FormData | undefined> {
  const type = headers["content-type"] ?? "";
  return type.startsWith("multipart/") ? new Response(raw, { headers: { "content-type": type } }).formData() : undefined;
}

/** A message as a person sees it. */
export interface Seen {
  chat: string;
  id: string;
  text: string;
  buttons: { id: string; label: string; link?: string }[];
  /** How often it was changed. */
  edits: number;
  replyTo?: string | undefined;
  file?: { name: string; text: string };
  /** What a program would format, link or notify of. */
  marks: { kind: string; text: string }[];
}

export interface Account {
  id: string;
  name: string;
}
/** Somebody with their own chat with the bot. */
export type Member = Account & { chat: string };

interface Writing {
  chat?: string;
  from?: Account;
  /** The group's title. */
  group?: string;
  replyTo?: Seen | undefined;
  files?: readonly Upload[];
}

/** A file that a person sends. Without bytes, it can't be fetched. */
export interface Upload {
  name: string;
  bytes?: Buffer<ArrayBuffer>;
  /** What the service says. */
  size?: number;
}

/** A stand-in for a chat service, by its public documentation: it refuses what the real one refuses. */
export interface Service {
  name: PlatformName;
  url: string;
  secrets: Record<string, string>;
  bot: Account;
  ada: Member;
  grace: Member;
  /** Somebody who isn't paired. */
  mallory: Member;
  /** A group of Ada and Grace, by its title. */
  team: { chat: string; title: string };
  messages: Seen[];
  /** What people were told besides, such as in a toast. */
  told: string[];
  /** What was refused, as the service would say it. */
  refused: string[];
  /** Nobody has written in the group, a thread, for days. */
  archiveTeam?(): void;
  /** The group gets another id, `told` by a message of its own or only when something is sent to it. Returns the id. */
  moveTeam?(how: { isTold: boolean }): string;
  press(message: Seen, label: string, by?: Account & { chat?: string }): void;
  /** Presses a button of any id, in any message. */
  forge(press: { chat: string; message: string; id: string; from: Account }): void;
  write(text: string, writing?: Writing): void;
  /** What a person is asked to fill in: by a reply to a message, with files if they like, or in a form. */
  asked(): boolean;
  fill(text: string, files?: Writing["files"]): void;
  /** The last press or text again, as after a lost acknowledgement. */
  repeat(): void;
  faults: {
    /** Ends what is being read. */
    drop(): void;
    /** What is read from now on stays silent, until it is ended. */
    halfOpen(isOn: boolean): void;
    /** Nothing can be read, for one of the reasons in `refusals`. */
    refuseReading(reason: string | undefined): void;
    /** Answers nothing at all. */
    outage(isOn: boolean): void;
    /** The next message arrives, and its answer is lost. */
    loseAnswer(): void;
    /** Asks for the next connection, as the service does from time to time. Returns how many connections it has, and ends the old one. */
    refresh?(): { connections(): number; end(): void };
    /** The next message is refused for some seconds. */
    limitRate(seconds: number): void;
  };
  /** The message that was written or filled in last; undefined for a form. */
  own(): string | undefined;
  /** Calls when a hub confirms next that it has received a press. */
  onTaken(listener: () => void): void;
  /** How often it was read. */
  reads(): number;
  /** Whether somebody reads now. */
  isRead(): boolean;
}

/** A chat service for the contract suite. */
export interface TestedChat {
  title: string;
  start(clock: Clock, network: Network): Promise<Service>;
  /** Whether the service keeps a press that nobody can receive; otherwise it tells the person that it failed. */
  keepsPresses: boolean;
  /** Why it can't be read: the name of the fault, and what the desk says. */
  refusals: readonly [what: string, reason: string, why: string][];
}
