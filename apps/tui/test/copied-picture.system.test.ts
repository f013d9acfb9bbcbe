import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copiedPicture } from "../src/terminal/copied-picture.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d494844520a\r\n«", "latin1");
png.set(Buffer.from("89504e470d0a1a0a", "hex"));

/** A folder for PATH with stand-ins for the tools: each writes its file, and notes its arguments. */
function withTools(tools: Readonly<Record<string, Buffer | string | number>>) {
  const folder = mkdtempSync(join(tmpdir(), "askbox-tools-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, output] of Object.entries(tools)) {
    const file = join(folder, name);
    if (typeof output !== "number") writeFileSync(`${file}.out`, output);
    const writes = typeof output === "number" ? `exit ${output}` : `exec /bin/cat '${file}.out'`;
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${file}.args'\n${writes}\n`);
    chmodSync(file, 0o755);
  }
  const argsOf = (name: string) =>
    readFileSync(join(folder, `${name}.args`), "utf8")
      .trim()
      .split("\n");
  return { PATH: folder, argsOf };
}

async function taken(copied: Awaited<ReturnType<typeof copiedPicture>>) {
  if ("problem" in copied) return copied.problem;
  const bytes = readFileSync(copied.path);
  await copied.remove();
  expect(existsSync(dirname(copied.path))).toBe(false);
  return bytes;
}

const hex = `«data PNGf${png.toString("hex").toUpperCase()}»\n`;
const base64 = `${png.toString("base64")}\r\n`;

test.each([
  ["Wayland", "linux", { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, "wl-paste", png, "image/png"],
  ["X11", "linux", { DISPLAY: ":0" }, "xclip", png, "image/png"],
  ["X11 beside Wayland, without its tool", "linux", { WAYLAND_DISPLAY: "wayland-0", DISPLAY: ":0" }, "xclip", png, "-out"],
  ["macOS with pngpaste", "darwin", {}, "pngpaste", png, "-"],
  ["macOS", "darwin", {}, "osascript", hex, "get the clipboard as «class PNGf»"],
  ["Windows", "win32", {}, "powershell.exe", base64, "-NoProfile"],
  ["WSL", "linux", { WSL_DISTRO_NAME: "Debian", DISPLAY: ":0" }, "powershell.exe", base64, "-STA"],
] as const)("the picture in the clipboard is read: %s", async (_where, platform, env, tool, output, argument) => {
  const { PATH, argsOf } = withTools({ [tool]: output });
  expect(await taken(await copiedPicture({ ...env, PATH }, platform))).toEqual(png);
  expect(argsOf(tool)).toContain(argument);
});

test.each([
  ["no tool on Wayland", "linux", { WAYLAND_DISPLAY: "w" }, {}, "The clipboard can't be read: install wl-clipboard."],
  ["no tool on X11", "linux", { DISPLAY: ":0" }, {}, "The clipboard can't be read: install xclip."],
  ["no desktop", "linux", {}, { xclip: png }, "The clipboard can't be read: there is no desktop here."],
  ["no tool on macOS", "darwin", {}, {}, "The clipboard can't be read: neither pngpaste nor osascript is in PATH."],
  ["no tool on Windows", "win32", {}, {}, "The clipboard can't be read: powershell.exe isn't in PATH."],
  ["only text", "linux", { DISPLAY: ":0" }, { xclip: 1 }, "The clipboard has no picture."],
  ["something else than a PNG", "linux", { DISPLAY: ":0" }, { xclip: "<svg/>" }, "The clipboard has no picture."],
  ["only text on macOS", "darwin", {}, { pngpaste: 1, osascript: 1 }, "The clipboard has no picture."],
  [
    "another machine",
    "linux",
    { DISPLAY: ":0", SSH_CONNECTION: "::1 1 ::1 22" },
    { xclip: png },
    "The clipboard is on another machine; attach the file by its path instead.",
  ],
] as const)("without a picture, a sentence says why: %s", async (_what, platform, env, tools, sentence) => {
  expect(await taken(await copiedPicture({ ...env, PATH: withTools(tools).PATH }, platform))).toBe(sentence);
});
