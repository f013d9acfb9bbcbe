/** @module-tag nightly */
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import type { PdfPages } from "../../../packages/files/src/pdf/pages.ts";
import { readPdf } from "../../../packages/files/src/pdf/read-pdf.ts";
import { dimensionsOf } from "../../../packages/files/src/picture/dimensions.ts";
import { pages, pdf, say, stream } from "../../../packages/files/test/pdf-files.ts";
import { fuzz } from "../engine/fuzz.ts";
import { place } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { assertSentence, fault } from "../engine/oracle.ts";

const library = resolve("packages/files/node_modules/@hyzyla/pdfium/dist/index.cjs");

const packed = (data: string, entries = "") => stream(deflateSync(data).toString("latin1"), `/Filter /FlateDecode ${entries}`);
const photo = Buffer.from("/9j/wAALCAAEAAQBAREA/9oACAEBAAA/ABL/ADT/0FZ4/9k=", "base64").toString("latin1");
const image = "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray";
const font = (glyphId: number, unicodeId: number) =>
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 97 /LastChar 98 /Widths [9 9] /CharProcs << /a ${glyphId} 0 R /b ${glyphId} 0 R >> /Encoding << /Differences [97 /a /b] >> /ToUnicode ${unicodeId} 0 R >>`;
const glyph = stream("9 0 0 0 9 9 d1 0 0 7 7 re f");
const unicode = stream(
  "1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfrange <61> <62> <D83DDE00> <63> <63> <0041> <64> <64> <009B> endbfrange",
);
const form = "/Type /XObject /Subtype /Form /BBox [0 0 55 15] /Matrix [1 0 0 1 0 0] ";
const pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /Resources << >>";
const jbig2 = `${"00000000300001"}${"00000013"}${"00000008".repeat(2)}${"00".repeat(11)}${"00000001260001"}${"0000001e"}${"00000008".repeat(2)}${"00".repeat(10)}${"03fffdff02fefefe"}${"84c73bff"}`;
const jpx =
  "ff4fff510029000000000008000000080000000000000000000000080000000800000000000000000001070101ff52000c00000001000004040001ff5c00044040ff90000a00000000000f0001ff9300ffd9";
/** 16 MB of spaces in 300 bytes. */
const bomb = deflateSync(deflateSync(Buffer.alloc(2 ** 24, " "), { level: 1 })).toString("latin1");
const painted =
  "q BT /F1 9 Tf 9 9 Td (ab) Tj ET 20 0 0 20 0 0 cm /I1 Do 1 0 0 1 1 0 cm /I2 Do 1 0 0 1 1 0 cm /I3 Do 1 0 0 1 1 0 cm /I4 Do 1 0 0 1 -1 1 cm /I5 Do Q q 0 40 20 20 re W n /S sh Q /Pattern cs /P scn 20 40 20 20 re f BI /W 1 /H 1 /BPC 8 /CS /G ID x EI";

const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const tooMuch = "(This page is damaged, or takes too much memory to read.)";

interface Sample {
  bytes: Buffer;
  /** The text of its pages, or why there is none. */
  says: string | string[];
}

const text: Sample = {
  bytes: pages([say("One"), packed("BT /F1 12 Tf 10 60 Td (Two) Tj T* [(Th) -900 (ree)] TJ ET"), stream("0 0 9 9 re f")]),
  says: ["One", "Twoh ree", ""],
};

/** Fonts, images of all codings, shadings and patterns. */
const drawing: Sample = {
  bytes: pdf([
    catalog,
    "<< /Type /Pages /Count 1 /Kids [3 0 R] /Rotate 90 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /CropBox [0 0 80 60] /Contents [4 0 R 4 0 R] /Resources 5 0 R >>",
    stream(painted),
    "<< /Font << /F1 6 0 R >> /XObject << /I1 7 0 R /I2 8 0 R /I3 9 0 R /I4 14 0 R /I5 15 0 R >> /Shading << /S 10 0 R >> /Pattern << /P 11 0 R >> >>",
    font(12, 13),
    stream(photo, `${image} /BitsPerComponent 8 /Filter /DCTDecode `),
    stream("\u0026\u00a0\u0010\u0001", `${image} /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 >> `),
    packed("\u0002abcdefgh".repeat(8), `${image} /BitsPerComponent 8 /SMask 7 0 R /DecodeParms << /Predictor 12 /Columns 8 /Colors 1 >> `),
    "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 9 9] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 2 >> >>",
    stream("0 0 3 3 re f", `${pattern} /XStep 5 /YStep 5 `),
    glyph,
    unicode,
    stream(jbig2, `${image} /BitsPerComponent 1 /Filter [/ASCIIHexDecode /JBIG2Decode] `),
    stream(jpx, `${image} /BitsPerComponent 8 /Filter [/ASCIIHexDecode /JPXDecode] `),
  ]),
  says: ["😀😁"],
};

/** Forms that draw each other, and annotations. */
const forms: Sample = {
  bytes: pdf([
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /DA (/F1 9 Tf) /NeedAppearances true >> /Outlines << /First 5 0 R /Count 1 >> >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /Annots [4 0 R 5 0 R] /Group << /S /Transparency /I true >> /Contents 7 0 R /Resources << /XObject << /X 6 0 R >> >> >>",
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [5 5 60 20] /MaxLen 9 /AP << /N 6 0 R >> >>",
    "<< /Type /Annot /Subtype /Highlight /QuadPoints [5 5 9 5 5 9 9 9] /Rect [5 30 60 50] /C [1 1 0] /Contents (Why?) >>",
    ...[7, 8, 9].map((next) => stream("/X Do ".repeat(6), `${form} /Resources << /XObject << /X ${next} 0 R >> >> `)),
    stream("0 0 9 9 re f", form),
  ]),
  says: [""],
};

const encryption = `<< /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> /P -4 >>`;
const encrypted: Sample = {
  bytes: pdf([catalog, "<< /Type /Pages /Count 0 /Kids [] >>", encryption], "/Encrypt 3 0 R /ID [<00><00>] "),
  says: "The PDF is encrypted and needs a password.",
};

/** Its second page unpacks to 1.6 GB. */
const large: Sample = {
  bytes: pdf([
    catalog,
    "<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /Contents [${"5 0 R ".repeat(100)}] >>`,
    stream(bomb, "/Filter [/FlateDecode /FlateDecode] "),
  ]),
  says: ["", tooMuch],
};

/** A page of more text than is read at once, then more pages than are, with a control character each. */
const long: Sample = {
  bytes: pdf([
    catalog,
    `<< /Type /Pages /Count 111 /Kids [3 0 R ${"4 0 R ".repeat(110)}] /MediaBox [0 0 90 60] /Resources << /Font << /F1 7 0 R >> >> >>`,
    "<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>",
    "<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>",
    packed(`BT /F1 1 Tf (cd${"a".repeat(9_000)}) Tj ET`),
    say("cd"),
    font(8, 9),
    ...[glyph, unicode],
  ]),
  says: [`A${"😀".repeat(7_999)}\n(The rest of this page is left out.)`],
};

/** A page of noise, which makes a large JPEG, and one that is drawn without end. */
const endless: Sample = {
  bytes: pdf([
    catalog,
    "<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 300] /Resources << /Shading << /S 6 0 R >> /Pattern << /P 9 0 R >> >> >>",
    "<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>",
    "<< /Type /Page /Parent 2 0 R /Contents 8 0 R >>",
    stream("/S sh"),
    "<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [0 300 0 300] /Function 7 0 R >>",
    stream(
      "{ 7919 mul exch 104729 mul add sin 43758 mul dup cvi sub abs dup 977 mul dup cvi sub dup 977 mul dup cvi sub }",
      "/FunctionType 4 /Domain [0 300 0 300] /Range [0 1 0 1 0 1] ",
    ),
    stream("/Pattern cs /P scn 0 0 50 50 re f"),
    // It has no height, so that no number of them fills a page.
    stream("0 0 3 3 re f", `${pattern} /XStep 5 /YStep 0 `),
  ]),
  says: ["", ""],
};

const samples = [text, drawing, forms, encrypted, large, long, endless];
const contents = samples.map(({ bytes }) => bytes.toString("latin1"));

const numbers = ["-1", "0", "0.00001", "1e38", "65536", "8388608", "2147483647", "4294967296", "99999999999999999999", "[0 0 R]"];
const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes));
const reference = fc.nat(16).map((id) => `${id} 0 R`);
const piece = fc.record({ of: fc.nat(samples.length - 1), from: place, length: fc.nat(300), times: fc.constantFrom(1, 2, 500) });

interface Edit {
  place: number;
  cut?: number;
  put?: string;
  number?: string;
  piece?: typeof piece extends fc.Arbitrary<infer Piece> ? Piece : never;
}

/** A few characters replaced, a number or a reference changed, a piece of one of the samples inserted, or the rest missing. */
const edit = fc.oneof<fc.MaybeWeightedArbitrary<Edit>[]>(
  { weight: 3, arbitrary: fc.record({ place, cut: fc.nat(12), put: fc.oneof(bytes, bytes, oddText) }) },
  { weight: 4, arbitrary: fc.record({ place, number: fc.oneof(fc.constantFrom(...numbers), reference) }) },
  { weight: 2, arbitrary: fc.record({ place, piece }) },
  { weight: 1, arbitrary: fc.record({ place }) },
);

function edited(text: string, { place, cut, put, number, piece }: Edit): string {
  const at = Math.floor(place * (text.length + 1));
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (put !== undefined) return before + writeOut(put) + after.slice(cut);
  if (number !== undefined) return before + after.replace(/-?\d[\d.]*(?: 0 R)?/, number);
  if (piece === undefined) return before;
  const other = contents[piece.of] ?? "";
  const start = Math.floor(piece.from * other.length);
  return before + other.slice(start, start + piece.length).repeat(piece.times) + after;
}

/** Milliseconds for one PDF, and how much later its worker may be gone on a busy machine. */
const [timeout, slack] = [2_000, 6_000];
/** MiB that a PDF may add to the process: the library's memory, the worker's, and copies. */
const maxMemory = 1_000;

/** PDFs that people attach, as text and as pictures, and the next one after each that ends its worker or is refused. */
fuzz({
  name: "pdfs",
  input: fc.record({
    sample: fc.constantFrom(0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 5, 6),
    edits: fc.array(edit, { maxLength: 4 }),
    tail: oddText,
    from: fc.constantFrom(1, 1, 1, 2, 1_000_000),
    images: fc.boolean(),
  }),
  runs: 10,
  open() {
    const before = process.resourceUsage().maxRSS;
    return {
      async take({ sample, edits, tail, from, images }) {
        const bytes = Buffer.from(edits.reduce(edited, contents[sample] ?? "") + writeOut(tail), "latin1");
        const began = performance.now();
        const found = await readPdf({ bytes: async () => bytes, library, from, images, timeout });
        const took = performance.now() - began;
        if (took > timeout + slack) fault(`It took ${Math.round(took)} ms.`);
        // A timer may be a little early.
        const isLate = took > timeout - 20;
        if (typeof found === "string") assertRefused(found);
        else assertPages(found, { from, images, isLate });
        if (edits.length === 0 && from === 1 && !images && !isLate) assertSays(found, samples[sample]?.says);
        if (typeof found === "string" || found.parts.some((part) => "text" in part && part.text.startsWith("(This page")))
          assertSays(await readPdf({ bytes: async () => text.bytes, library, from: 1, images: false }), text.says);
        const grown = (process.resourceUsage().maxRSS - before) / 1_024;
        if (grown > maxMemory) fault(`It took ${Math.round(grown)} MiB.`);
      },
    };
  },
});

function assertSays(found: PdfPages | string, says: Sample["says"] | undefined): void {
  const said = typeof found === "string" ? found : found.parts.map((part) => ("text" in part ? part.text : part));
  if (!isDeepStrictEqual(said, says)) fault(`An unchanged PDF says ${JSON.stringify(said)}`);
}

function assertRefused(sentence: string): void {
  assertSentence(sentence, "The refusal");
  if (!/^[A-Z](?!.*\. )\P{Cc}{1,150}\.$/u.test(sentence)) fault(`This is not one sentence: ${JSON.stringify(sentence)}`);
}

function assertPages(found: PdfPages, { from, images, isLate }: { from: number; images: boolean; isLate: boolean }): void {
  const { parts, pages } = found;
  const most = Math.min(pages - from + 1, images ? 5 : 100);
  if (found.from !== from || parts.length === 0 || !(parts.length <= most))
    fault(`It has ${parts.length} of ${pages} pages from ${found.from} on.`);
  const texts = parts.flatMap((part) => ("text" in part ? part.text : []));
  if (texts.join("").length > 16_100 || texts.some((text) => !text.isWellFormed() || /[^\P{Cc}\n\t]/u.test(text)))
    fault("This is no text for an agent.");
  if (!images) return;
  if (texts.some((text) => !/^\(This page \P{Cc}{1,100}\.\)$/u.test(text))) fault("A page without a picture doesn't say why.");
  if (parts.length < most && !("text" in (parts.at(-1) ?? {})) && !isLate) fault(`${most - parts.length} pages are missing.`);
  for (const part of parts) {
    if (!("image" in part)) continue;
    const size = dimensionsOf(part.image, "image/jpeg");
    if (size === undefined || Math.max(size.width, size.height) > 2_000 || part.image.length > 450_000)
      fault(`This is no picture for an agent: ${JSON.stringify(size)}, ${part.image.length} bytes.`);
  }
}
