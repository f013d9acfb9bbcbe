import type { Clock } from "@askbox/core";
import type { PlatformName } from "../../src/index.ts";
import type { Network } from "./network.ts";

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
  /** Whether a person's client opens a reply to it. */
  isPrompt: boolean;
}

export interface Account {
  id: string;
  name: string;
}

export interface Writing {
  chat?: string;
  from?: Account;
  /** The group's title. */
  group?: string;
  replyTo?: Seen | undefined;
}

/** A stand-in for a chat service, by its public documentation: it refuses what the real one refuses. */
export interface Service {
  name: PlatformName;
  url: string;
  secrets: Record<string, string>;
  bot: Account;
  /** A person, and their chat with the bot. */
  ada: Account & { chat: string };
  messages: Seen[];
  /** What people were told besides, such as in a toast. */
  told: string[];
  /** What was refused, as the service would say it. */
  refused: string[];
  press(message: Seen, label: string, by?: Account & { chat?: string }): void;
  /** Presses a button of any id, in any message. */
  forge(press: { chat: string; message: string; id: string; from: Account }): void;
  write(text: string, writing?: Writing): void;
  /** The last press or text again, as after a lost acknowledgement. */
  repeat(): void;
  faults: {
    /** Ends what is being read. */
    drop(): void;
    /** What is read from now on stays silent, until it is ended. */
    halfOpen(isOn: boolean): void;
    /** Another program reads, or the token was revoked. */
    refuseReading(status: number | undefined): void;
    /** Answers nothing at all. */
    outage(isOn: boolean): void;
    /** The next message arrives, and its answer is lost. */
    loseAnswer(): void;
    /** The next message is refused for some seconds. */
    limitRate(seconds: number): void;
  };
  /** The message that was written last. */
  own(): string;
  /** How often it was read. */
  reads(): number;
}

export type StartService = (clock: Clock, network: Network) => Promise<Service>;
