import type { AskResult, EarlierResult } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { PicturePlace } from "../dialects/dialect.ts";
import type { Picture } from "../options.ts";
import type { Call } from "./call.ts";

/**
 * The files of an answer in a result: as lines with their paths, and as pictures. What takes too long, or can't be read, is left to
 * `get_files`; the answer comes all the same.
 */

/** How long a result waits until its files are where the agent can read or see them, in ms. */
const placeTimeout = 10_000;

type Told = Pick<AskResult | EarlierResult, "answers" | "askedBack" | "sessionId" | "files">;

/** The files of answers, of the comment on all of them, and of messages, each with what it belongs to. */
const withFilesIn = ({ answers, files: own, askedBack = [] }: Told): { files: AnswerFile[]; owner: string | undefined }[] =>
  [
    ...answers.map(({ files, questionId }) => ({ files, owner: questionId })),
    { files: own, owner: "the comment" },
    ...askedBack.map(({ files }) => ({ files, owner: "what was asked back" })),
  ].flatMap(({ files, owner }) => (files?.length ? [{ files, owner }] : []));

const hasFiles = (told: Told): boolean => withFilesIn(told).length > 0;

/** A signal for what a result waits for: of the call, and of the time that may take. */
export function soon({ signal, server: { platform } }: Call): { signal: AbortSignal; cancel: () => void } {
  const over = new AbortController();
  const cancel = platform.clock.setTimer(placeTimeout, () => over.abort());
  return { signal: AbortSignal.any([signal, over.signal]), cancel };
}

/** A file in one line. */
export function fileLine({ name, mimeType, size, sha256, caption, path }: AnswerFile): string {
  const where = path === undefined ? "" : ` at ${path}`;
  return `${name} (${mimeType}, ${size} bytes, sha256 ${sha256})${where}${caption === undefined ? "" : ` – ${caption}`}`;
}

/** The result with the paths of its files, where they can be written for the agent, and what to say of those. */
export async function placed(call: Call, result: AskResult): Promise<{ result: AskResult; remark?: string | undefined }> {
  const { files: source, log } = call.server;
  const all = [result, ...(result.earlier ?? [])].filter(hasFiles);
  const place = source?.place;
  if (all.length === 0 || place === undefined) return { result };
  const { signal, cancel } = soon(call);
  try {
    const paths = new Map<string, string>();
    let remark: string | undefined;
    for (const one of all) {
      const found = await place(
        one.sessionId ?? "",
        withFilesIn(one).flatMap(({ files }) => files),
        { signal, identity: await call.identity() },
      );
      for (const [sha256, path] of found?.paths ?? []) paths.set(sha256, path);
      remark ??= found?.remark;
    }
    const withPaths = <One extends Told>(one: One): One =>
      hasFiles(one)
        ? { ...pathedIn(one), answers: one.answers.map(pathedIn), ...(one.askedBack && { askedBack: one.askedBack.map(pathedIn) }) }
        : one;
    const pathedIn = <Part extends { files?: AnswerFile[] | undefined }>(part: Part): Part =>
      part.files ? { ...part, files: part.files.map(pathed) } : part;
    const pathed = (file: AnswerFile): AnswerFile => {
      const path = paths.get(file.sha256);
      return path === undefined ? file : { ...file, path };
    };
    const { earlier } = result;
    return { result: { ...withPaths(result), ...(earlier && { earlier: earlier.map(withPaths) }) }, remark };
  } catch (error) {
    // The answer itself matters more.
    log("warn", "The files of an answer could not be written for the agent", { error: String(error) });
    return { result };
  } finally {
    cancel();
  }
}

/** The tool's result, with a line for each file. `shown`: how many of them come as pictures. */
export function withFileLines<Told extends CallToolResult | InputRequiredResult>(
  call: Call,
  told: Told,
  { result, remark, shown = 0 }: { result: AskResult; remark?: string | undefined; shown?: number },
): Told {
  if (!("content" in told)) return told;
  const all = [result, ...(result.earlier ?? [])].filter(hasFiles);
  if (all.length === 0) return told;
  const lines = all.flatMap((one) => [
    `Files from the person (sessionId ${one.sessionId}):`,
    ...withFilesIn(one).flatMap(({ files, owner }) => files.map((file) => `- with ${owner}: ${fileLine(file)}`)),
  ]);
  const isAllShown = shown === all.flatMap((one) => withFilesIn(one).flatMap(({ files }) => files)).length;
  const see = call.server.files === undefined || isAllShown ? undefined : "To see pictures, call get_files with that sessionId.";
  const text = [...lines, remark, see].filter((line) => line !== undefined).join("\n");
  return { ...told, content: [...(told.content as CallToolResult["content"]), { type: "text", text }] };
}

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
