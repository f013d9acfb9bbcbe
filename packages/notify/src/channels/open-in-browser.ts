import type { Clock } from "@askbox/core";
import { isRemote, withDesktop } from "../run/desktop.ts";
import { type Environment, processRunner, type Runner } from "../run/runner.ts";
import { openersFor } from "./browser.ts";

/** A program that cannot open a page fails quickly; one that is still running after this time, in ms, has become the browser. */
const timeout = 1_500;

export interface OpenInBrowserOptions {
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
  for (const { program, args } of openersFor(link, env, platform)) {
    const opener = run({ program, args, env: withDesktop(env, platform), outlives: true });
    if (!(await opener.started)) continue;
    const stays = Promise.withResolvers<undefined>();
    const cancel = clock.setTimer(timeout, () => stays.resolve(undefined));
    const result = await Promise.race([opener.ended, stays.promise]);
    cancel();
    if (result === undefined || (result.ending.kind === "exited" && result.ending.code === 0)) return true;
  }
  return false;
}
