import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, bytesText, isReply } from "@askbox/core/questions";
import { timeOfDay } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import { byWhom } from "../model/words.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";

/** The thread with the agent: the rows of each message, with who wrote it and when. */
export function threadRows(
  { thread = [], asker, presence, questions, status }: SessionView,
  now: number,
  width: number,
  plain: boolean,
): Row[][] {
  return thread.map((message) => {
    const number = aboutNumber(questions, message);
    const about = number === 0 ? "" : `, about question ${number}`;
    const isFromAgent = isReply(message);
    const who = isFromAgent
      ? `${terminalLine(clientTitle(asker.client.name))} replied`
      : `${message.unasked ? "Message" : "Asked back"} (${byWhom(message.by)})${about}`;
    const isWaiting =
      !isFromAgent && message.deliveredAt === undefined && (message.unasked || (status === "pending" && presence.asker === "away"));
    return [
      ...wrap([span(who, "heading"), span(`, ${timeOfDay(message.at, now)}`, "dim")], width),
      ...prefixed(richRows(message.text, width - 2, plain), span("  ")),
      ...(message.files ?? []).flatMap(({ name, size }) => wrap([span(`  ${terminalLine(name)} `), span(bytesText(size), "dim")], width)),
      ...(isWaiting
        ? wrap([span(`${message.unasked ? "" : "The agent has left. "}It gets this with its next call.`, "warning")], width, {
            first: [span("  ")],
          })
        : []),
      emptyRow,
    ];
  });
}
