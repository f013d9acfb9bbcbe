import { win32 } from "node:path";
import type { Notice } from "../notice.ts";
import { isWsl, withDesktop } from "../run/desktop.ts";
import type { Environment, RunRequest } from "../run/runner.ts";

/** The system's own notification tool. The text is never part of a script. */
export function notifierFor(notice: Notice, env: Environment, platform: NodeJS.Platform): RunRequest {
  if (platform === "darwin") return appleScript(notice, env);
  if (platform === "win32" || isWsl(env, platform)) return toast(notice, env, platform);
  return notifySend(notice, withDesktop(env, platform));
}

/** The name of the program that `notifierFor` would run. */
export function notifierProgram(env: Environment, platform: NodeJS.Platform): string {
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
export function withoutId(request: RunRequest, stderr: string): RunRequest | undefined {
  if (request.program !== "notify-send" || !unknownOption.test(stderr)) return undefined;
  return { ...request, args: request.args.slice(1) };
}

/** Withdraws a notification of notify-send's (Desktop Notifications Specification, "CloseNotification"), by the id that it has printed. */
export function withdrawal({ program, env }: RunRequest, stdout: string): RunRequest | undefined {
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
