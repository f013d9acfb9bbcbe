import { plainLine, shorten } from "@askbox/terminal-text";
import { noticeOf } from "../notice.ts";
import { withDesktop } from "../run/desktop.ts";
import { isThere } from "../run/find-program.ts";
import type { RunRequest } from "../run/runner.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";
import { notifierFor, notifierProgram, withdrawal, withoutId } from "./notifier.ts";

/** Milliseconds; PowerShell may take seconds to start, and a hanging notification daemon is abandoned. */
const timeLimit = 15_000;

/** The system's notifications. */
function open({ run, env, platform, warnOnce, onShown, settings: { showText = true } }: LocalContext): LocalSender {
  return async (sessions, signal) => {
    const request = notifierFor(noticeOf(sessions, { showText }), env, platform);
    const show = (each: RunRequest) => run({ ...each, timeLimit, keepOutput: true, signal }).ended;
    const first = await show(request);
    const older = withoutId(request, first.stderr);
    const { ending, stdout, stderr } = older === undefined ? first : await show(older);
    const closing = withdrawal(request, stdout);
    if (closing !== undefined)
      onShown(sessions, async () => {
        const closed = await run({ ...closing, timeLimit }).ended;
        if (closed.ending.kind === "unstartable")
          warnOnce(
            "Notifications stay when their question is settled, since gdbus cannot be run; install GLib's tools (libglib2.0-bin on Debian and Ubuntu).",
          );
      });
    if (ending.kind === "unstartable") {
      warnOnce(`Notifications cannot be shown, since ${request.program} cannot be run; \`askbox doctor\` says how to fix it.`);
    } else if (ending.kind === "overtime") {
      warnOnce(`${request.program} did not show a notification within ${timeLimit / 1_000} seconds.`);
    } else if (ending.kind === "exited" && ending.code !== 0) {
      // Include its own message: usually no notification service runs on this desktop.
      const reason = shorten(plainLine(stderr), 300);
      warnOnce(`${request.program} could not show a notification.`, { exitCode: ending.code, ...(reason === "" ? {} : { reason }) });
    }
  };
}

function problems({ env, platform }: ProblemsOptions): string[] {
  const found: string[] = [];
  const program = notifierProgram(env, platform);
  if (!isThere(program, env, platform)) {
    const fix = program === "notify-send" ? "install libnotify (libnotify-bin on Debian and Ubuntu)" : "add the folder it is in to PATH";
    found.push(`No notification can be shown: \`${program}\` is not to be found; ${fix}, or set attention to another mode.`);
  }
  if (program === "notify-send" && !withDesktop(env, platform)["DBUS_SESSION_BUS_ADDRESS"]) {
    found.push("There is no way to your desktop's notifications (DBUS_SESSION_BUS_ADDRESS is not set): start the hub at your desktop.");
  }
  return found;
}

export const notify: LocalChannel = { isMessage: true, open, problems };
