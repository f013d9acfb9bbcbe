import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { isConversationId, recordedFolder, type WakeMachine, type WakeWay } from "./port.ts";

/**
 * A hook of Claude Code waits at the hub while the conversation has an open question (`askbox hook claude-code --wake`). Whatever it says is
 * marked as nobody's, so it only says to call `get_answer`: the tool's result is the answer. `claude agents --json` lists every process that
 * has a conversation.
 */

/** Milliseconds. */
const timeout = 5_000;
/** Folders of projects that are looked through. */
const maxFolders = 5_000;

const agentsSchema = z.array(z.object({ sessionId: z.string(), status: z.string().optional() })).max(10_000);

export const claudeCodeWay: WakeWay = {
  client: "claude-code",
  listens: "nudge",
  // `claude -p` doesn't end while such a hook runs.
  attendedBy: "CLAUDE_CODE_SESSION_ATTENDED",
  async state(conversation, machine) {
    const agents = agentsSchema.parse(JSON.parse(await machine.run(["claude", "agents", "--json"], timeout)));
    const found = agents.find(({ sessionId }) => sessionId === conversation);
    if (found !== undefined) return found.status === "idle" ? "idle" : "busy";
    // With other settings than the hub's, Claude Code has its conversations, and the list of them, elsewhere.
    return (await recordOf(conversation, machine)) === undefined ? "unknown" : "gone";
  },
  async folderOf(conversation, machine) {
    const record = await recordOf(conversation, machine);
    return record && recordedFolder(record, (line) => (line as { cwd?: unknown }).cwd);
  },
  resumeGone: (conversation, text) => ({ argv: ["claude", "-p", "--resume", conversation], input: text }),
  risk: "Two processes with one conversation lose a message of one of them.",
};

async function recordOf(conversation: string, { env }: WakeMachine): Promise<string | undefined> {
  if (!isConversationId(conversation)) return undefined;
  const projects = join(env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude"), "projects");
  const folders = await readdir(projects).catch(() => []);
  const paths = folders.slice(0, maxFolders).map((folder) => join(projects, folder, `${conversation}.jsonl`));
  const are = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (file) => file.isFile(),
        () => false,
      ),
    ),
  );
  return paths[are.indexOf(true)];
}
