import type { AskResult } from "@askbox/core";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { PicturePlace } from "../dialects/dialect.ts";
import type { Picture } from "../options.ts";
import { soon } from "./attached.ts";
import type { Call } from "./call.ts";

/** Files of a page. With at most 450 KB each, a page is far below the 8 MB that clients take, and the text stays short. */
export const perPage = 5;

/** A picture as a block of a result. */
export const imageOf = ({ data, mimeType }: Picture) => ({
  type: "image" as const,
  data: Buffer.from(data).toString("base64"),
  mimeType,
});

/** The pictures among the first files of an answer; those that can't be shown in time are left to `get_files`. */
export async function picturesOf(call: Call, { answered, answers, files: own, sessionId = "" }: AskResult): Promise<Picture[]> {
  const { files: source, log } = call.server;
  const files = [...answers, { files: own }].flatMap((part) => part.files ?? []).slice(0, perPage);
  if (!answered || source === undefined || files.length === 0) return [];
  const { signal, cancel } = soon(call);
  const pictures: Picture[] = [];
  try {
    for (const file of files) {
      const picture = await source.picture(sessionId, file, { signal });
      if (typeof picture === "object") pictures.push(picture);
    }
  } catch (error) {
    // The answer itself matters more.
    log("warn", "The pictures of an answer could not be shown with it", { error: String(error) });
  } finally {
    cancel();
  }
  return pictures;
}

/** The result with its pictures before or after its text, which is one block then, as the contracts with pictures have it. */
export function withPictures<Told extends CallToolResult | InputRequiredResult>(
  told: Told,
  pictures: readonly Picture[],
  place: PicturePlace | undefined,
): Told {
  if (pictures.length === 0 || !("content" in told)) return told;
  const texts = (told.content as CallToolResult["content"]).flatMap((block) => ("text" in block ? [block.text] : []));
  const text = { type: "text" as const, text: texts.join("\n\n") };
  const images = pictures.map(imageOf);
  return { ...told, content: place === "first" ? [...images, text] : [text, ...images] };
}
