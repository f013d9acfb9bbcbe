import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens `text` in `$VISUAL`, `$EDITOR` or the system's own editor. The temporary file is private and deleted afterwards. */
export async function editText(text: string, env: Environment, platform: NodeJS.Platform): Promise<{ text?: string; problem?: string }> {
  const command = env["VISUAL"] || env["EDITOR"] || (platform === "win32" ? "notepad" : "vi");
  const folder = await mkdtemp(join(tmpdir(), "askbox-"));
  const file = join(folder, "answer.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await run(command, file, platform);
    if (code !== 0) return { problem: `${command} could not be run or failed; set $EDITOR to an editor that works.` };
    const written = await readFile(file, "utf8");
    return written === text ? {} : { text: written };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
