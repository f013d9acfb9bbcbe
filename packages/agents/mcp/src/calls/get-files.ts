import type { SessionRecord } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { PdfPages } from "../options.ts";
import { fileLine, isPdf } from "./attached.ts";
import { type Call, namedAsker, type Reply } from "./call.ts";
import { failure, refused } from "./failure.ts";
import { imageOf, perPage } from "./pictures.ts";

/** A call of `get_files`: short text, and the pictures of one page; of the first PDF in it, the beginning of its text. */
export async function getFiles(call: Call, args: unknown): Promise<Reply> {
  const { sessionId, page, file: one, images } = Object(args) as Record<"sessionId" | "page" | "file" | "images", unknown>;
  if (typeof sessionId !== "string" || sessionId === "") return refused("sessionId is required");
  const [number, only] = [Number(page ?? 1), one === undefined || one === null ? undefined : Number(one)];
  if (!Number.isInteger(number) || number < 1) return refused("page must be a whole number from 1 on");
  const source = call.server.files;
  try {
    const { port, info } = await namedAsker(call);
    const handover = await port.resume(sessionId, { asker: info, maxWait: 0, earlier: false, signal: call.signal });
    // The outcome itself comes with the tools for it.
    await handover.nack();
    const files = filesOf(handover.session);
    if (files.length === 0) return told("There are no files with this answer.");
    if (only !== undefined && files[only - 1] === undefined) return refused(`file must be a whole number from 1 to ${files.length}`);
    const pages = Math.ceil(files.length / perPage);
    if (only === undefined && number > pages) return refused(`page must be at most ${pages}`);
    const first = only === undefined ? (number - 1) * perPage : only - 1;
    const content: CallToolResult["content"] = [];
    const lines: string[] = [];
    let isPdfShown = false;
    for (const [index, file] of files.slice(first, only ?? first + perPage).entries()) {
      const at = first + index + 1;
      let remark: string | undefined;
      if (isPdf(file) && source?.pdf !== undefined) {
        if (isPdfShown) remark = `For its text, call get_files with file ${at}.`;
        else {
          const from = only === undefined ? 1 : number;
          const found = await source.pdf(sessionId, file, { from, images: images === true, signal: call.signal });
          isPdfShown = typeof found === "object";
          if (typeof found === "string") remark = found;
          else {
            remark = `Its ${images === true ? "pages as images" : "text"} below.`;
            content.push(...pdfBlocks(found, at, images === true));
          }
        }
      } else {
        const picture = await source?.picture(sessionId, file, { signal: call.signal });
        if (typeof picture === "object") content.push(imageOf(picture));
        else remark = picture;
      }
      lines.push(`${at}. ${fileLine(file)}${remark === undefined ? "" : `: ${remark}`}`);
    }
    const more = only === undefined && number < pages ? ` Call get_files with page ${number + 1} for more.` : "";
    const which = only === undefined ? `Files ${first + 1} to ${first + lines.length}` : `File ${only}`;
    const head = `${which} of ${files.length}, pictures in this order.${more}`;
    return { result: { content: [{ type: "text", text: [head, ...lines].join("\n") }, ...content] } };
  } catch (error) {
    return failure(call, error, { sessionId });
  }
}

/** Pages of a PDF, each text under its number. */
function pdfBlocks({ pages, from, parts }: PdfPages, file: number, isImages: boolean): CallToolResult["content"] {
  const end = from + parts.length - 1;
  const next = end < pages ? ` For more, call get_files with file ${file}, page ${end + 1}${isImages ? " and images true" : ""}.` : "";
  const where = `File ${file}, pages ${from} to ${end} of ${pages}`;
  const see = isImages ? "" : ` To see pages, call get_files with file ${file}, page N and images true.`;
  const isScan = parts.every((part) => "text" in part && part.text.trim() === "");
  const what = isImages ? ", as images" : isScan ? ": no text, as in a scan" : "";
  const texts = parts.flatMap((part, index) => ("text" in part ? `[page ${from + index}]\n${part.text.trim() || "(no text)"}` : []));
  const shown = parts.flatMap((part) => ("image" in part ? [imageOf({ data: part.image, mimeType: "image/jpeg" })] : []));
  return [{ type: "text", text: [`${where}${what}.${see}${next}`, ...(isScan ? [] : texts)].join("\n") }, ...shown];
}

const told = (text: string): Reply => ({ result: { content: [{ type: "text", text }] } });

function filesOf({ context: { outcome }, reply, thread }: SessionRecord): AnswerFile[] {
  const sets = [outcome?.kind === "answered" ? outcome : undefined, reply];
  const all = [...sets.flatMap((set) => (set === undefined ? [] : [...set.answers, set])), ...thread];
  return all.flatMap(({ files = [] }) => files);
}
