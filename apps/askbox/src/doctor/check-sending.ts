import { existsSync } from "node:fs";
import { type Log, standardPlatform } from "@askbox/core";
import { type Config, findHub, type HomeFolders, homeFiles, requestHub } from "@askbox/home";
import { hubStatus } from "@askbox/hub-process";
import { defaultAttention, sendTests, type TestResult, webhookTargets } from "@askbox/notify";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { type Finding, fail, found, ok, type Surroundings, warn } from "./finding.ts";

/** How long a person has to press the buttons, in ms. */
const timeout = 60_000;
const silent: Log = () => {};
const resultsSchema = z.object({
  items: z.array(z.object({ way: z.string(), trouble: z.string().optional(), pressedAfter: z.number().nullable().optional() })),
});

type Around = Pick<Surroundings, "env" | "hubUrl" | "tokenFile" | "version">;

/** Sends a test by each way to a person. `onSent`: called once it is up to them, with the number of buttons to press. */
export function checkSending(
  config: Config | undefined,
  folders: HomeFolders,
  { onSent, ...around }: Around & { onSent(buttons: number, seconds: number): void },
): Promise<Finding[]> {
  const { env } = around;
  return found("send", async () => {
    if (config === undefined) return [];
    const { platform } = process;
    const pushes = await pushTests(around);
    const chats = homeFiles(folders).chat;
    // What talks to chats is loaded only where there is one.
    const chatTests = existsSync(chats) ? (await import("@askbox/chat")).sendChatTests : undefined;
    const buttons = { waited: chatTests === undefined ? 1 : 2, count: pushes.browsers };
    const sent = (count: number) => {
      buttons.waited -= 1;
      buttons.count += count;
      if (buttons.waited === 0) onSent(buttons.count, timeout / 1_000);
    };
    const byChat = chatTests?.({ file: chats, clock: standardPlatform(globalThis).clock, timeout, onSent: sent }) ?? [];
    const byOthers = sendTests({
      clock: standardPlatform(globalThis).clock,
      log: silent,
      timeout,
      targets: webhookTargets(config.webhooks, folders.config),
      local: {
        mode: config.attention ?? defaultAttention({ env, platform }),
        settings: { command: config.attentionCommand, showText: config.notifyText },
        env,
        platform,
      },
      onSent: sent,
    });
    const results = (await Promise.all([byOthers, byChat, pushes.results])).flat();
    if (results.length === 0)
      return [
        ok(
          "send",
          "There is no way to send you a test by: set attention to notify, add ntfy to webhooks, run askbox chat, or turn on pushes in the web inbox.",
        ),
      ];
    return results.map(findingOf);
  });
}

/** Has the running hub send its tests: a press comes back to it. */
async function pushTests({ env, hubUrl, tokenFile, version }: Around): Promise<{ browsers: number; results: Promise<TestResult[]> }> {
  const agent = { name: "askbox doctor", version };
  // Without a hub, the check of the hub says so.
  const status = await hubStatus({ agent, env, hubUrl, tokenFile, timeout: 0 }).catch(() => undefined);
  const browsers = status?.push?.browsers ?? 0;
  if (browsers === 0) return { browsers, results: Promise.resolve([]) };
  const found = await findHub({ role: "desk", env, hubUrl, tokenFile });
  const told = requestHub(found, { method: "POST", path: "/push/test", body: { timeout }, timeout: timeout + 30_000 });
  return { browsers, results: told.then((answer) => resultsSchema.parse(answer).items) };
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
