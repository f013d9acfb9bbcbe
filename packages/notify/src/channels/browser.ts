import { isRemote, isWsl, withDesktop } from "../run/desktop.ts";
import { isThere } from "../run/find-program.ts";
import type { Environment, RunResult } from "../run/runner.ts";
import type { Channel, ChannelContext, Mode, ProblemsOptions } from "./channel.ts";

export interface Opener {
  program: string;
  args: readonly string[];
}

/** Commands that open a page in the person's browser, preferred first. None uses a shell, since a link may contain `&`. */
export function openersFor(link: string, env: Environment, platform: NodeJS.Platform): Opener[] {
  if (platform === "darwin") return [{ program: "/usr/bin/open", args: [link] }];
  const windows = { program: "rundll32.exe", args: ["url.dll,FileProtocolHandler", link] };
  if (platform === "win32") return [windows];
  const linux = { program: "xdg-open", args: [link] };
  return isWsl(env, platform) ? [{ program: "wslview", args: [link] }, windows, linux] : [linux];
}

/** Opens the inbox in the browser, once: after that the person has it, open or not. */
function open({ run, env, platform, log, warnOnce, inboxLink }: ChannelContext): Channel {
  let opened = false;
  const failed = (program: string, { ending }: RunResult) => {
    const isFine = ending.kind !== "exited" || ending.code === 0;
    if (isFine) return;
    opened = false;
    warnOnce(`${program} could not open the inbox in a browser; \`askbox open\` prints its link.`, { exitCode: ending.code });
  };
  return {
    async call() {
      if (opened) return;
      opened = true;
      const link = await inboxLink().catch((error: unknown) => {
        warnOnce("The inbox could not be opened in a browser, since no link to it could be made.", { error: String(error) });
        return undefined;
      });
      if (link === undefined) {
        opened = false;
        return;
      }
      for (const { program, args } of openersFor(link, env, platform)) {
        // It is never stopped: what it starts, or becomes, is the person's browser.
        const opener = run({ program, args, env: withDesktop(env, platform), outlives: true });
        if (await opener.started) {
          void opener.ended.then((result) => failed(program, result));
          log("info", "Opened the inbox in the browser");
          return;
        }
      }
      opened = false;
      const names = openersFor("", env, platform).map(({ program }) => program);
      warnOnce(`The inbox could not be opened in a browser: ${names.join(", ")} cannot be run; \`askbox doctor\` says how to fix it.`);
    },
    close: async () => {},
  };
}

function problemsOf({ env, platform }: ProblemsOptions): string[] {
  const problems: string[] = [];
  if (isRemote(env))
    problems.push("This is an SSH session, where no browser opens before you: set attention to `terminal`, `command` or `none`.");
  const programs = openersFor("", env, platform).map(({ program }) => program);
  if (!programs.some((program) => isThere(program, env, platform))) {
    const names = programs.map((name) => `\`${name}\``);
    const lacking = names.length > 1 ? `none of ${names.join(", ")} is` : `${names.join("")} is not`;
    const fix = platform === "linux" && !isWsl(env, platform) ? "install xdg-utils" : "add the folder it is in to PATH";
    problems.push(`No browser can be opened: ${lacking} to be found; ${fix}, or set attention to another mode.`);
  }
  if (platform === "linux" && !isWsl(env, platform)) {
    const desktop = withDesktop(env, platform);
    if (!desktop["DISPLAY"] && !desktop["WAYLAND_DISPLAY"]) {
      problems.push(
        "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): start the hub at your desktop, or set attention to another mode.",
      );
    }
  }
  return problems;
}

export const browser: Mode = { open, problems: problemsOf };
