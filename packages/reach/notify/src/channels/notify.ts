import { win32 } from "node:path";
import { plainLine, shorten } from "@askbox/terminal-text";
import { type Notice, noticeOf } from "../notice.ts";
import { type Environment, isThere, isWsl, type RunRequest, withDesktop } from "../run.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";

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

/** The system's own notification tool. The text is never part of a script. */
function notifierFor(notice: Notice, env: Environment, platform: NodeJS.Platform): RunRequest {
  if (platform === "darwin") return appleScript(notice, env);
  if (platform === "win32" || isWsl(env, platform)) return toast(notice, env, platform);
  return notifySend(notice, withDesktop(env, platform));
}

/** The name of the program that `notifierFor` would run. */
function notifierProgram(env: Environment, platform: NodeJS.Platform): string {
  return notifierFor({ title: "", body: "" }, env, platform).program;
}

/**
 * The body may be interpreted as markup (Desktop Notifications Specification, "Markup"), and notify-send interprets backslash escapes in it
 * like C, which could bypass the markup escaping.
 */
function notifySend({ title, body }: Notice, env: Environment): RunRequest {
  const escaped = body.replaceAll("\\", "\\\\").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const args = ["--print-id", "--app-name=askbox", "--icon=dialog-question", "--", title, escaped];
  return { program: "notify-send", args, env };
}

/** What notify-send before 0.8 says of an option that it does not know. */
const unknownOption = /unknown option --print-id/i;

/** The request for an older notify-send, which says no id; undefined if that is not why it has failed. */
function withoutId(request: RunRequest, stderr: string): RunRequest | undefined {
  if (request.program !== "notify-send" || !unknownOption.test(stderr)) return undefined;
  return { ...request, args: request.args.slice(1) };
}

/** Withdraws a notification of notify-send's (Desktop Notifications Specification, "CloseNotification"), by the id that it has printed. */
function withdrawal({ program, env }: RunRequest, stdout: string): RunRequest | undefined {
  const [, id] = /^(\d{1,10})\s*$/.exec(stdout) ?? [];
  if (program !== "notify-send" || id === undefined) return undefined;
  const [service, path] = ["org.freedesktop.Notifications", "/org/freedesktop/Notifications"];
  const args = ["call", "--session", "--dest", service, "--object-path", path, "--method", `${service}.CloseNotification`, `uint32 ${id}`];
  return { program: "gdbus", args, env };
}

/** The text is passed as the script's arguments. The first does not begin with a hyphen, and osascript accepts no options after it. */
function appleScript({ title, body }: Notice, env: Environment): RunRequest {
  const script = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
  return { program: "/usr/bin/osascript", args: [...script.flatMap((line) => ["-e", line]), title, body], env };
}

/** Shows the JSON from stdin, as the app id under which Windows knows PowerShell: only known apps may notify. */
const toastScript = [
  "$ErrorActionPreference = 'Stop'",
  "$notice = [Console]::In.ReadToEnd() | ConvertFrom-Json",
  "$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "$manager = [Windows.UI.Notifications.ToastNotificationManager]",
  "$xml = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)",
  "$lines = $xml.GetElementsByTagName('text')",
  "$null = $lines.Item(0).AppendChild($xml.CreateTextNode($notice.title))",
  "$null = $lines.Item(1).AppendChild($xml.CreateTextNode($notice.body))",
  "$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)",
  "$manager::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe').Show($toast)",
].join("; ");

function toast(notice: Notice, env: Environment, platform: NodeJS.Platform): RunRequest {
  // Windows PowerShell and not its successor, which cannot access notifications.
  const folder = env["SystemRoot"] ?? env["SYSTEMROOT"];
  const installed = platform === "win32" && folder !== undefined;
  const program = installed ? win32.join(folder, "System32", "WindowsPowerShell", "v1.0", "powershell.exe") : "powershell.exe";
  // ASCII only: PowerShell reads its stdin in the console's code page.
  const input = JSON.stringify(notice).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { program, args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", toastScript], env, input };
}
