/** The library. It is not part of the command, since it would be twice as large with it. */
export const pdfium = "@hyzyla/pdfium";

/** Which pages of a PDF. */
export interface PdfWish {
  /** The first page, from 1 on. */
  from: number;
  /** As pictures: at most 5, each a JPEG of at most 2000 pixels and 450 KB. Otherwise as text: whole pages, at most 16,000 characters. */
  images: boolean;
}

/** Some pages of a PDF, in order. */
export interface PdfPages {
  /** How many it has. */
  pages: number;
  /** The page that `parts` begins with. */
  from: number;
  /** The text of a page that can't be read says so, among images, too. */
  parts: ({ text: string } | { image: Uint8Array })[];
}
