import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A picture from the clipboard in a private file, or the sentence that says why there is none. */
export type CopiedPicture = { path: string; remove(): Promise<void> } | { problem: string };

interface Tool {
  command: string;
  args: readonly string[];
  /** The PNG in what it has written; default: all of it. */
  read?(output: Buffer): Buffer;
}

/** The maximum number of bytes that are read, as a tool writes them: more than a hub stores of one file. */
const maxBytes = 64_000_000;
/** Milliseconds after which a tool that waits for something is ended. */
const timeout = 20_000;

const fromHex = (output: Buffer) => Buffer.from(/«data PNGf([0-9A-F]*)»/.exec(output.toString("utf8"))?.[1] ?? "", "hex");
const fromBase64 = (output: Buffer) => Buffer.from(output.toString("latin1"), "base64");
const powershell: Tool = {
  command: "powershell.exe",
  args: [
    "-NoProfile",
    "-NonInteractive",
    "-STA",
    "-Command",
    [
      "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
      "$picture = [Windows.Forms.Clipboard]::GetImage()",
      "if ($picture -eq $null) { exit 1 }",
      "$bytes = New-Object IO.MemoryStream",
      "$picture.Save($bytes, [Drawing.Imaging.ImageFormat]::Png)",
      "[Convert]::ToBase64String($bytes.ToArray())",
    ].join("; "),
  ],
  read: fromBase64,
};

/** What reads a picture from the clipboard here, the best first, and what could be installed for it. */
function toolsOf(env: Environment, platform: NodeJS.Platform): { tools: readonly Tool[]; missing: string } {
  if (platform === "win32" || env["WSL_DISTRO_NAME"] !== undefined) return { tools: [powershell], missing: "powershell.exe isn't in PATH" };
  if (platform === "darwin")
    return {
      tools: [
        { command: "pngpaste", args: ["-"] },
        { command: "osascript", args: ["-e", "get the clipboard as «class PNGf»"], read: fromHex },
      ],
      missing: "neither pngpaste nor osascript is in PATH",
    };
  const wayland: Tool = { command: "wl-paste", args: ["--no-newline", "--type", "image/png"] };
  const x11: Tool = { command: "xclip", args: ["-selection", "clipboard", "-target", "image/png", "-out"] };
  const tools = [...(env["WAYLAND_DISPLAY"] === undefined ? [] : [wayland]), ...(env["DISPLAY"] === undefined ? [] : [x11])];
  if (tools.length === 0) return { tools, missing: "there is no desktop here" };
  return { tools, missing: `install ${env["WAYLAND_DISPLAY"] === undefined ? "xclip" : "wl-clipboard"}` };
}

const pngStart = Buffer.from("89504e470d0a1a0a", "hex");

/** The picture in the clipboard of this machine, as a PNG. */
export async function copiedPicture(env: Environment, platform: NodeJS.Platform): Promise<CopiedPicture> {
  if (env["SSH_CONNECTION"] !== undefined) return { problem: "The clipboard is on another machine; attach the file by its path instead." };
  const { tools, missing } = toolsOf(env, platform);
  let isAny = false;
  for (const tool of tools) {
    const output = await outputOf(tool, env);
    if (output === undefined) continue;
    isAny = true;
    const png = tool.read === undefined ? output : tool.read(output);
    if (!png.subarray(0, pngStart.length).equals(pngStart)) continue;
    const folder = await mkdtemp(join(tmpdir(), "askbox-"));
    const remove = () => rm(folder, { recursive: true, force: true });
    const path = join(folder, "clipboard.png");
    try {
      await writeFile(path, png, { mode: 0o600 });
      return { path, remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }
  return { problem: isAny ? "The clipboard has no picture." : `The clipboard can't be read: ${missing}.` };
}

/** What a tool writes; empty if it fails, since that is how it says that there is no picture; undefined if there is no such tool. */
function outputOf({ command, args }: Tool, env: Environment): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { env: { ...env }, stdio: ["ignore", "pipe", "ignore"], timeout });
    const pieces: Buffer[] = [];
    let length = 0;
    child.on("error", () => resolve(undefined));
    child.stdout.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length > maxBytes) child.kill();
      else pieces.push(piece);
    });
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(pieces) : Buffer.alloc(0)));
  });
}
