import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateFolder, homeFiles, homeFolders, writePrivateFile } from "@askbox/home";

/** Milliseconds. No question is pending for longer. */
const maxAge = 86_400_000;
/** Files in the folder that are looked at. */
const maxFiles = 1_000;

/** One agent of one of a client's conversations. */
export interface ConversationAgent {
  /** The conversation's. */
  id: string;
  agentId: string | undefined;
}

/** Remembers the session in which a person has asked something back: the agent's next question, in whatever words, takes its place. */
export function rememberAskedBack(env: NodeJS.ProcessEnv, agent: ConversationAgent, sessionId: string): void {
  const { askedBack } = homeFiles(homeFolders({ env }));
  ensurePrivateFolder(askedBack);
  for (const name of readdirSync(askedBack).slice(0, maxFiles)) {
    const file = join(askedBack, name);
    if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > maxAge) rmSync(file, { force: true });
  }
  writePrivateFile(fileOf(askedBack, agent), sessionId);
}

/** The session, once. */
export function takeAskedBack(env: NodeJS.ProcessEnv, agent: ConversationAgent): string | undefined {
  const file = fileOf(homeFiles(homeFolders({ env })).askedBack, agent);
  try {
    const id = readFileSync(file, "utf8").trim();
    rmSync(file, { force: true });
    return id === "" ? undefined : id.slice(0, 200);
  } catch {
    return undefined;
  }
}

const fileOf = (folder: string, { id, agentId = "" }: ConversationAgent): string =>
  join(
    folder,
    createHash("sha256")
      .update(JSON.stringify([id, agentId]))
      .digest("hex")
      .slice(0, 32),
  );
