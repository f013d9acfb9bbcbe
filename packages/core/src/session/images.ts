import * as z from "zod";
import { bytesText } from "../texts.ts";

const alt = z.string().optional();
const askedImageSchema = z.object({
  /** A data URL, or the `src` of an upload to the hub. Whoever asks on the same machine may read a path and upload it. */
  src: z.string(),
  /** What it shows, for people who don't see it. */
  alt,
});
/** A picture that an agent sends with a question or an option. */
export type AskedImage = z.infer<typeof askedImageSchema>;

const imageSchema = z.object({
  name: z.string(),
  /** By its first bytes, never by its name. */
  mimeType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Of its content, in hex; its id within the session. */
  sha256: z.string(),
  /** Pixels. */
  width: z.number(),
  height: z.number(),
  alt,
});
/** A stored picture of a question or an option. */
export type Image = z.infer<typeof imageSchema>;

export const askedImages = z.array(askedImageSchema).optional();
/** As they are stored. Until the broker has done that, those of a request are as they were sent, and never parsed by this. */
export const imagesSchema = z.array(imageSchema).optional() as z.ZodOptional<z.ZodType<(AskedImage | Image)[]>>;

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
