import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AskboxError } from "@askbox/core";

/** Lets the person write in `$VISUAL` or `$EDITOR`; the text without the line break that editors put at its end. Throws `VALIDATION`. */
export async function writeInEditor(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const editor = env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
  // A folder of its own, which nobody else can enter; editors leave other files beside the one they write.
  const folder = await mkdtemp(join(tmpdir(), "askbox-answer-"));
  const file = join(folder, "answer.md");
  try {
    await writeFile(file, "", { mode: 0o600 });
    await run(editor, file);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The variable may hold arguments, as in `code --wait`, so a shell reads it. Standard output may be a script's; the editor draws on stderr. */
function run(editor: string, file: string): Promise<void> {
  const isWindows = process.platform === "win32";
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: ["inherit", 2, 2] })
    : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: ["inherit", 2, 2] });
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new AskboxError("VALIDATION", `${editor} ended with ${why}; set EDITOR to one that works.`));
    child.once("error", (error) => failed(error.message));
    child.once("close", (code, signal) => (code === 0 ? resolve() : failed(signal ?? `exit code ${code}`)));
  });
}
