import { bytesText } from "../texts.ts";
import type { AskedImage, Image } from "./images.ts";

type Images = (AskedImage | Image)[];

interface Shown {
  images?: Images | undefined;
}
type Asked = Shown & { options?: readonly (Shown & { label?: string })[] };

/** All pictures of the questions and of their options. */
export const allImages = (questions: readonly Asked[]): Images =>
  questions.flatMap(({ images = [], options = [] }) => [...images, ...options.flatMap(({ images = [] }) => images)]);

/** The stored pictures of a question, each with the label of its option if it belongs to one. */
export function shownImages({ images = [], options = [] }: Asked): { image: Image; option?: string | undefined }[] {
  const stored = (shown: Images, option?: string) => shown.flatMap((image) => ("sha256" in image ? [{ image, option }] : []));
  return [...stored(images), ...options.flatMap(({ images = [], label }) => stored(images, label))];
}

/** A line for each picture, for surfaces that can't show them: `Picture of Blue: chart.png, 800 × 600, 27 KB; a blue chart`. */
export const imageLines = (question: Asked): string[] =>
  shownImages(question).map(({ image: { name, width, height, size, alt }, option }) => {
    const about = alt === undefined ? "" : `; ${alt}`;
    return `Picture${option === undefined ? "" : ` of ${option}`}: ${name}, ${width} × ${height}, ${bytesText(size)}${about}`;
  });
