import { plainLine, shorten } from "@askbox/terminal-text";
import { withDesktop } from "../run/desktop.ts";
import { isThere } from "../run/find-program.ts";
import { noticeOf } from "../text/notice.ts";
import { type Channel, type ChannelContext, type Mode, type ProblemsOptions, Runnings } from "./channel.ts";
import { notifierFor, notifierProgram } from "./notifier.ts";

/** Milliseconds; PowerShell may take seconds to start, and a hanging notification daemon is abandoned. */
const timeLimit = 15_000;

/** The system's notifications. */
function open({ run, env, platform, warnOnce, settings: { showText = true } }: ChannelContext): Channel {
  const runnings = new Runnings(run);
  return {
    async call(sessions) {
      const request = notifierFor(noticeOf(sessions, { showText }), env, platform);
      const { ending, stderr } = await runnings.start({ ...request, timeLimit, keepOutput: true }).ended;
      if (ending.kind === "unstartable") {
        warnOnce(`Notifications cannot be shown, since ${request.program} cannot be run; \`askbox doctor\` says how to fix it.`);
      } else if (ending.kind === "overtime") {
        warnOnce(`${request.program} did not show a notification within ${timeLimit / 1_000} seconds.`);
      } else if (ending.kind === "exited" && ending.code !== 0) {
        // Include its own message: usually no notification service runs on this desktop.
        const reason = shorten(plainLine(stderr), 300);
        warnOnce(`${request.program} could not show a notification.`, { exitCode: ending.code, ...(reason === "" ? {} : { reason }) });
      }
    },
    close: () => runnings.stop(),
  };
}

function problemsOf({ env, platform }: ProblemsOptions): string[] {
  const problems: string[] = [];
  const program = notifierProgram(env, platform);
  if (!isThere(program, env, platform)) {
    const fix = program === "notify-send" ? "install libnotify (libnotify-bin on Debian and Ubuntu)" : "add the folder it is in to PATH";
    problems.push(`No notification can be shown: \`${program}\` is not to be found; ${fix}, or set attention to another mode.`);
  }
  if (program === "notify-send" && !withDesktop(env, platform)["DBUS_SESSION_BUS_ADDRESS"]) {
    problems.push("There is no way to your desktop's notifications (DBUS_SESSION_BUS_ADDRESS is not set): start the hub at your desktop.");
  }
  return problems;
}

export const notify: Mode = { open, problems: problemsOf };
