import type { SessionRecord } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { fileLine, imageOf, perPage } from "./attached.ts";
import { type Call, namedAsker, type Reply } from "./call.ts";
import { failure, refused } from "./reply.ts";

/** A call of `get_files`: short text, and the pictures of one page. */
export async function getFiles(call: Call, args: unknown): Promise<Reply> {
  const { sessionId, page } = Object(args) as Record<"sessionId" | "page", unknown>;
  if (typeof sessionId !== "string" || sessionId === "") return refused("sessionId is required");
  const number = Number(page ?? 1);
  if (!Number.isInteger(number) || number < 1) return refused("page must be a whole number from 1 on");
  const source = call.server.files;
  try {
    const { port, info } = await namedAsker(call);
    const handover = await port.resume(sessionId, { asker: info, maxWait: 0, earlier: false, signal: call.signal });
    // The outcome itself comes with the tools for it.
    await handover.nack();
    const files = filesOf(handover.session);
    if (files.length === 0) return told("There are no files with this answer.");
    const pages = Math.ceil(files.length / perPage);
    if (number > pages) return refused(`page must be at most ${pages}`);
    const first = (number - 1) * perPage;
    const content: CallToolResult["content"] = [];
    const lines: string[] = [];
    for (const [index, file] of files.slice(first, first + perPage).entries()) {
      const picture = await source?.picture(sessionId, file, { signal: call.signal });
      if (typeof picture === "object") content.push(imageOf(picture));
      const remark = typeof picture === "string" ? `: ${picture}` : "";
      lines.push(`${first + index + 1}. ${fileLine(file)}${remark}`);
    }
    const more = number < pages ? ` Call get_files with page ${number + 1} for more.` : "";
    const head = `Files ${first + 1} to ${first + lines.length} of ${files.length}, pictures in this order.${more}`;
    return { result: { content: [{ type: "text", text: [head, ...lines].join("\n") }, ...content] } };
  } catch (error) {
    return failure(call, error, { sessionId });
  }
}

const told = (text: string): Reply => ({ result: { content: [{ type: "text", text }] } });

function filesOf({ context: { outcome }, reply, thread }: SessionRecord): AnswerFile[] {
  const sets = [outcome?.kind === "answered" ? outcome : undefined, reply];
  const all = [...sets.flatMap((set) => (set === undefined ? [] : [...set.answers, set])), ...thread];
  return all.flatMap(({ files = [] }) => files);
}
