import { AskboxError } from "../errors.ts";
import type { AskedImage, Image } from "../session/images.ts";
import type { AskRequest } from "../session/record.ts";
import type { TakeImages } from "./broker.ts";

/** How many pictures one question or option may have, and one ask; an alternative text's characters. */
const [maxEach, maxAll, maxAlt] = [10, 50, 500];

/** The request with what is stored of its pictures, and a function that stores them with a session. Throws `VALIDATION`, and what the taker throws. */
export async function takeImages(
  { images: take }: { images: TakeImages | undefined },
  owner: string,
  request: AskRequest,
): Promise<{ request: AskRequest; keep(sessionId: string): Promise<void> }> {
  if (take === undefined) throw refusal("Pictures cannot be shown with questions here.");
  const shown = request.questions.flatMap((question) => [question, ...("options" in question ? question.options : [])]);
  if (shown.some(({ images = [] }) => images.length > maxEach))
    throw refusal(`A question or an option may have at most ${maxEach} pictures.`);
  const asked = shown
    .flatMap(({ images = [] }) => images)
    .map((image): AskedImage => {
      if (!("src" in image)) throw refusal("A picture needs a src.");
      if ((image.alt?.length ?? 0) > maxAlt) throw refusal(`A picture's alt must be at most ${maxAlt} characters long.`);
      return image;
    });
  if (asked.length > maxAll) throw refusal(`One ask may have at most ${maxAll} pictures; this one has ${asked.length}.`);
  const { images, keep } = await take(owner, asked);
  const stored = [...images];
  const replaced = <Shown extends { images?: (AskedImage | Image)[] | undefined }>(shown: Shown): Shown =>
    shown.images === undefined ? shown : { ...shown, images: stored.splice(0, shown.images.length) };
  const questions = request.questions.map((question) => {
    const own = replaced(question);
    return "options" in own ? { ...own, options: own.options.map(replaced) } : own;
  });
  return { request: { ...request, questions }, keep };
}

const refusal = (sentence: string) => new AskboxError("VALIDATION", sentence);
