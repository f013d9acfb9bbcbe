import { spawn } from "node:child_process";
import { toClipboard } from "./signs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Clipboard tools by kind of desktop. Over SSH the clipboard is on another machine, so none is used. */
function toolsOf(env: Environment, platform: NodeJS.Platform): readonly (readonly [string, ...string[]])[] {
  if (env["SSH_CONNECTION"] !== undefined) return [];
  if (platform === "darwin") return [["pbcopy"]];
  if (platform === "win32") return [["clip.exe"]];
  const wayland = env["WAYLAND_DISPLAY"] === undefined ? [] : ([["wl-copy"]] as const);
  const x11 =
    env["DISPLAY"] === undefined
      ? []
      : ([
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--clipboard", "--input"],
        ] as const);
  return [...wayland, ...x11];
}

/** Copies with the first tool that works, otherwise through the terminal. */
export async function copyText(
  text: string,
  { env, platform, write }: { env: Environment; platform: NodeJS.Platform; write(data: string): boolean },
): Promise<"tool" | "terminal" | "failed"> {
  for (const [command, ...args] of toolsOf(env, platform)) if (await fed(command, args, text)) return "tool";
  return write(toClipboard(text)) ? "terminal" : "failed";
}

function fed(command: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve(false));
    child.stdin.on("error", () => resolve(false));
    // These tools keep running as the owner of the clipboard; it is enough that they took the text.
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.end(text, () => child.unref());
  });
}
