import type { SessionView } from "@askbox/core";
import { aboutNumber, isReply, messageText } from "@askbox/core/questions";
import { ago } from "@askbox/inbox/text";
import { terminalText } from "@askbox/terminal-text";
import { excerpt } from "./excerpt.ts";
import { wrap } from "./layout.ts";
import { byWhom } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";

/** The maximum length of a reply. */
const maxShownLength = 10_000;

/** The thread with the agent: who, where and when, then the text. Undefined if nobody has asked back. */
export function threadBlock(
  { thread = [], questions }: Pick<SessionView, "thread" | "questions">,
  { columns, now, paint }: { columns: number; now: number; paint: Paint },
): string | undefined {
  if (thread.length === 0) return undefined;
  const messages = thread.map((message) => {
    const number = aboutNumber(questions, message);
    const who = isReply(message)
      ? "The agent replied"
      : message.unasked
        ? `Message ${byWhom(message.by)}`
        : `Asked back ${byWhom(message.by)}`;
    const about = number === 0 ? "" : `, about question ${number}`;
    const note = isReply(message) || message.deliveredAt !== undefined ? "" : ", not delivered yet";
    const head = `${who} ${ago(message.at, now)}${about}${note}:`;
    return `${paint("dim", wrap(head, columns, 0))}\n  ${wrap(excerpt(terminalText(messageText(message)), maxShownLength), columns, 2)}`;
  });
  return messages.join("\n");
}
