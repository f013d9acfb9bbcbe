import { isReply, type SessionView } from "@askbox/core";
import { richRows } from "../markdown/rich-text.ts";
import { byWhom } from "../model/words.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";

/** What people have asked the agent back, and its replies, each with who wrote it. */
export function threadRows({ thread = [], asker, questions }: SessionView, width: number, plain: boolean): Row[] {
  return thread.flatMap((message) => {
    const number = questions.length > 1 ? questions.findIndex(({ id }) => id === message.questionId) + 1 : 0;
    const about = number === 0 ? "" : `, about question ${number}`;
    const who = isReply(message) ? `${asker.client.name} replied` : `Asked back (${byWhom(message.by)})${about}`;
    return [emptyRow, ...wrap([span(who, "heading")], width), ...prefixed(richRows(message.text, width - 2, plain), span("  "))];
  });
}
