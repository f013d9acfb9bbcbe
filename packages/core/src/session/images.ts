import * as z from "zod";

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
