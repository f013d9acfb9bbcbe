import { type Log, standardPlatform } from "@askbox/core";
import type { Config, HomeFolders } from "@askbox/home";
import { defaultAttention, sendTests, type TestResult, webhookTargets } from "@askbox/notify";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, fail, found, ok, type Surroundings, warn } from "./finding.ts";

/** How long a person has to press the buttons, in ms. */
const timeout = 60_000;
const silent: Log = () => {};

/** Sends a test by each way to a person. `onSent`: called once it is up to them, with the number of buttons to press. */
export function checkSending(
  config: Config | undefined,
  folders: HomeFolders,
  { env, onSent }: Pick<Surroundings, "env"> & { onSent(buttons: number, seconds: number): void },
): Promise<Finding[]> {
  return found("send", async () => {
    if (config === undefined) return [];
    const { platform } = process;
    const results = await sendTests({
      ...{ clock: standardPlatform(globalThis).clock, log: silent, timeout },
      targets: webhookTargets(config.webhooks, folders.config),
      local: {
        mode: config.attention ?? defaultAttention({ env, platform }),
        settings: { command: config.attentionCommand, showText: config.notifyText },
        ...{ env, platform },
      },
      onSent: (buttons) => onSent(buttons, timeout / 1_000),
    });
    if (results.length === 0)
      return [ok("send", "There is no way to send you a test by: set attention to notify, or add ntfy to webhooks.")];
    return results.map(findingOf);
  });
}

function findingOf({ way, trouble, pressedAfter }: TestResult): Finding {
  const [name, why] = [terminalLine(way), trouble === undefined ? undefined : terminalLine(trouble)];
  if (why !== undefined && pressedAfter === undefined) return fail("send", `The test by ${name} was not sent: ${why.replace(/\.$/, "")}.`);
  if (pressedAfter === undefined) return ok("send", `The test by ${name} was sent; check that you can see it.`);
  if (pressedAfter === null) {
    return warn(
      "send",
      `The test by ${name} was sent, but no press came back within ${timeout / 1_000} s${why === undefined ? "" : `: ${why}`}.`,
    );
  }
  return ok("send", `The test by ${name} was sent, and its button pressed after ${(pressedAfter / 1_000).toFixed(1)} s.`);
}
