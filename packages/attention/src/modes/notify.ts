import { plainLine, shorten } from "@askbox/terminal-text";
import { noticeOf } from "../text/notice.ts";
import { type Channel, type ChannelContext, Runnings } from "./channel.ts";
import { notifierFor } from "./notifier.ts";

/** Milliseconds; PowerShell may take seconds to start, and a notification daemon that hangs is given up. */
const timeLimit = 15_000;

/** The system's notifications. */
export function notifyChannel({ run, env, platform, warnOnce }: ChannelContext, { showText }: { showText: boolean }): Channel {
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
        // Its own words are worth having: most often nothing shows notifications on this desktop.
        const reason = shorten(plainLine(stderr), 300);
        warnOnce(`${request.program} could not show a notification.`, { exitCode: ending.code, ...(reason === "" ? {} : { reason }) });
      }
    },
    close: () => runnings.stop(),
  };
}
