import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens `text` in the person's editor. The temporary file is private and deleted afterwards. */
export async function editText(text: string, env: Environment, platform: NodeJS.Platform): Promise<{ text?: string; problem?: string }> {
  const folder = await mkdtemp(join(tmpdir(), "askbox-"));
  const file = join(folder, "answer.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const problem = await runEditor(file, env, platform);
    if (problem !== undefined) return { problem };
    const written = await readFile(file, "utf8");
    return written === text ? {} : { text: written };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a file in `$VISUAL`, `$EDITOR` or the system's own editor, until it is closed. Returns what went wrong, as a sentence. */
export async function runEditor(file: string, env: Environment, platform: NodeJS.Platform): Promise<string | undefined> {
  const command = env["VISUAL"] || env["EDITOR"] || (platform === "win32" ? "notepad" : "vi");
  // Ctrl-C is meant for the editor.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  const code = await run(command, file, platform).finally(() => process.off("SIGINT", ignore));
  return code === 0 ? undefined : `${command} could not be run or failed; set $EDITOR to an editor that works.`;
}

/** `$EDITOR` may contain arguments, so a shell reads it; the file's path is passed as an argument, never as shell text. */
function run(command: string, file: string, platform: NodeJS.Platform): Promise<number> {
  return new Promise((resolve) => {
    const child =
      platform === "win32"
        ? spawn(`${command} "${file}"`, { stdio: "inherit", shell: true })
        : spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
