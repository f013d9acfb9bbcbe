import { open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { ClientName, Outlook } from "@askbox/core/clients";

/**
 * How a client's conversation is woken. A row says how to see what the conversation does, how to continue it while it is open, how to resume
 * one that has gone, and what can go wrong. What a row leaves out can't be done: the answer then waits for the agent's next call.
 */

/** What a conversation does; `unknown` unless this machine is certain. */
export type ClientState = Outlook["client"];

/** The machine of a client, as its ways see it. */
export interface WakeMachine {
  env: Readonly<Record<string, string | undefined>>;
  /** askbox's. */
  version: string;
  /** The output of a client's command. Rejects if it can't be started, fails, or takes longer than `timeout` ms. */
  run(argv: readonly string[], timeout: number): Promise<string>;
}

/** A command that resumes a conversation without a terminal. */
export interface ResumeCommand {
  argv: readonly [string, ...string[]];
  /** For its standard input, so that an answer is in no list of processes; else the words are among `argv`. */
  input?: string;
}

/** One client's way. */
export interface WakeWay {
  client: ClientName;
  /** Without it, nothing is known of a conversation that nothing of the client waits for. */
  state?(conversation: string, machine: WakeMachine): Promise<ClientState>;
  /** Gives an idle conversation a message, which starts a turn and counts as its user's: so no words of an asker's. Resolves once the client keeps it. `key`: askbox's name for it. */
  continueOpen?(conversation: string, message: { text: string; key: string }, machine: WakeMachine): Promise<void>;
  /**
   * While the conversation is open, a program of the client waits at the hub. It is told to call `get_answer` (`nudge`), since the client marks what it says as
   * nobody's; or gets the outcome, which becomes a `message` of the user.
   */
  listens?: "nudge" | "message";
  /** The variable that is `1` for that program where somebody sits at the client; elsewhere it must not wait. */
  attendedBy?: string;
  /** The folder in which the client itself has recorded that the conversation works; no asker is believed about that. Undefined if it isn't known. */
  folderOf?(conversation: string, machine: WakeMachine): Promise<string | undefined>;
  /** Only where `state` is certain that no process has the conversation, and only in its folder. */
  resumeGone?(conversation: string, text: string): ResumeCommand;
  /** What goes wrong where the row is not followed; a sentence for people. */
  risk: string;
}

/** Bytes of a record in which its folder is looked for. */
const looked = 262_144;

/** The folder that the first lines of a record in JSON name; undefined if none does. */
export async function recordedFolder(path: string, read: (line: object) => unknown): Promise<string | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(looked), 0, looked, 0);
    for (const line of buffer.toString("utf8", 0, bytesRead).split("\n")) {
      const folder = folderIn(line, read);
      if (folder !== undefined) return folder;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

function folderIn(line: string, read: (line: object) => unknown): string | undefined {
  try {
    const folder = read(Object(JSON.parse(line)));
    return typeof folder === "string" && isAbsolute(folder) ? folder : undefined;
  } catch {
    // The last line may be cut.
    return undefined;
  }
}

/** Such ids are the only ones that get into a command. */
export const isConversationId = (text: string): boolean => /^[\w-]{8,100}$/.test(text) && !text.startsWith("-");
