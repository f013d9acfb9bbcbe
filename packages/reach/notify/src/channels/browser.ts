import type { Clock } from "@askbox/core";
import {
  type Environment,
  isRemote,
  isThere,
  isWsl,
  processRunner,
  type Runner,
  type Running,
  type RunResult,
  withDesktop,
} from "../run.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";

/** A program that cannot open a page fails quickly; one that is still running after this time, in ms, has become the browser. */
const timeout = 1_500;

/** Commands that open a page in the person's browser, preferred first. None uses a shell, since a link may contain `&`. */
function openersFor(link: string, env: Environment, platform: NodeJS.Platform): { program: string; args: readonly string[] }[] {
  if (platform === "darwin") return [{ program: "/usr/bin/open", args: [link] }];
  const windows = { program: "rundll32.exe", args: ["url.dll,FileProtocolHandler", link] };
  if (platform === "win32") return [windows];
  const linux = { program: "xdg-open", args: [link] };
  return isWsl(env, platform) ? [{ program: "wslview", args: [link] }, windows, linux] : [linux];
}

/** Starts the commands one by one, while the caller asks for another. None is ever stopped: what it starts, or becomes, is the browser. */
async function* openings(
  link: string,
  { run, env, platform }: { run: Runner; env: Environment; platform: NodeJS.Platform },
): AsyncGenerator<{ program: string; opener: Running }> {
  for (const { program, args } of openersFor(link, env, platform)) {
    const opener = run({ program, args, env: withDesktop(env, platform), outlives: true });
    if (await opener.started) yield { program, opener };
  }
}

const namesOf = (env: Environment, platform: NodeJS.Platform) => openersFor("", env, platform).map(({ program }) => program);

/** Milliseconds in which a page that was opened may still be starting, so that no second one is opened. */
const starting = 30_000;

/** Opens the inbox in the browser while no page of it is open. */
function open(context: LocalContext): LocalSender {
  const { env, platform, clock, log, warnOnce, inboxLink, isPageOpen } = context;
  let openedAt = Number.NEGATIVE_INFINITY;
  const forget = () => {
    openedAt = Number.NEGATIVE_INFINITY;
  };
  const failed = (program: string, { ending }: RunResult) => {
    if (ending.kind !== "exited" || ending.code === 0) return;
    forget();
    warnOnce(`${program} could not open the inbox in a browser; \`askbox open\` prints its link.`, { exitCode: ending.code });
  };
  return async () => {
    if (isPageOpen() || clock.monotonic() < openedAt + starting) return;
    openedAt = clock.monotonic();
    const link = await inboxLink().catch((error: unknown) => {
      warnOnce("The inbox could not be opened in a browser, since no link to it could be made.", { error: String(error) });
      forget();
    });
    if (typeof link !== "string") return;
    for await (const { program, opener } of openings(link, context)) {
      void opener.ended.then((result) => failed(program, result));
      log("info", "Opened the inbox in the browser");
      return;
    }
    forget();
    const names = namesOf(env, platform).join(", ");
    warnOnce(`The inbox could not be opened in a browser: ${names} cannot be run; \`askbox doctor\` says how to fix it.`);
  };
}

function problems({ env, platform }: ProblemsOptions): string[] {
  const found: string[] = [];
  const isLinux = platform === "linux" && !isWsl(env, platform);
  if (isRemote(env))
    found.push("This is an SSH session, where no browser opens before you: set attention to `terminal`, `command` or `none`.");
  const programs = namesOf(env, platform);
  if (!programs.some((program) => isThere(program, env, platform))) {
    const names = programs.map((name) => `\`${name}\``);
    const lacking = names.length > 1 ? `none of ${names.join(", ")} is` : `${names.join("")} is not`;
    const fix = isLinux ? "install xdg-utils" : "add the folder it is in to PATH";
    found.push(`No browser can be opened: ${lacking} to be found; ${fix}, or set attention to another mode.`);
  }
  const desktop = withDesktop(env, platform);
  if (isLinux && !desktop["DISPLAY"] && !desktop["WAYLAND_DISPLAY"]) {
    found.push(
      "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): start the hub at your desktop, or set attention to another mode.",
    );
  }
  return found;
}

export const browser: LocalChannel = { open, problems };

interface OpenInBrowserOptions {
  env: Environment;
  platform: NodeJS.Platform;
  clock: Clock;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
}

/** Opens a page on the person's screen. Returns false if that is not possible, or over SSH. Never throws. */
export async function openInBrowser(
  link: string,
  { env, platform, clock, run = processRunner(clock, platform) }: OpenInBrowserOptions,
): Promise<boolean> {
  if (isRemote(env)) return false;
  for await (const { opener } of openings(link, { run, env, platform })) {
    const stays = Promise.withResolvers<undefined>();
    const cancel = clock.setTimer(timeout, () => stays.resolve(undefined));
    const result = await Promise.race([opener.ended, stays.promise]);
    cancel();
    if (result === undefined || (result.ending.kind === "exited" && result.ending.code === 0)) return true;
  }
  return false;
}
