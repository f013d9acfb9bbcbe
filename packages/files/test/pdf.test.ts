import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { pdfPages } from "../src/pdf/pdf.ts";
import { readPdf } from "../src/pdf/read-pdf.ts";
import { encodePng } from "../src/picture/encode-png.ts";
import { showInWorker } from "../src/picture/reduce.ts";
import { pages, pdf, say, stream } from "./pdf-files.ts";
import { storedFile } from "./stored-file.ts";

const installed = fileURLToPath(new URL("..", import.meta.url));

async function read(bytes: Uint8Array, { from = 1, images = false, folder = installed as string | undefined } = {}) {
  const { blobs, key } = await storedFile(bytes);
  return pdfPages(blobs, key, { from, images }, folder);
}

describe("a PDF for an agent", () => {
  it("comes as the text of its pages from one on, and a page without text is empty", async () => {
    const bytes = pages([say("One"), say("Two"), stream("0 0 9 9 re f")]);
    expect(await read(bytes, { from: 2 })).toEqual({ pages: 3, from: 2, parts: [{ text: "Two" }, { text: "" }] });
  });

  it("comes in whole pages of 16,000 characters together, and a longer page is cut and says so", async () => {
    const long = say(`${"word ".repeat(1_400)}end`);
    expect(await read(pages([long, long, long]))).toMatchObject({ pages: 3, parts: [{}, {}] });
    const [part] = Object(await read(pages([say("word ".repeat(4_000)), long]))).parts;
    expect([part.text.length < 16_100, part.text.endsWith("(The rest of this page is left out.)")]).toEqual([true, true]);
  });

  it("comes as at most five pictures of pages within the limits, in its colours", async () => {
    const red = stream("1 0 0 rg 0 0 100 1000 re f");
    const found = await read(pages([red, red, red, red, red, red, red], "0 0 200 5000"), { from: 2, images: true });
    const { parts } = found as { parts: { image: Uint8Array }[] };
    const [{ image } = { image: new Uint8Array() }] = parts;
    const { width, height, data } = jpeg.decode(image);
    const pixel = (x: number, y: number) =>
      [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)].map((one) => Math.round(one / 25.5));
    expect([parts.length, width, height, image.length < 450_000]).toEqual([5, 80, 2_000, true]);
    expect([pixel(10, 1_900), pixel(70, 1_900), pixel(10, 100)]).toEqual([
      [10, 0, 0],
      [10, 10, 10],
      [10, 10, 10],
    ]);
  });

  it("of 10,000 pages is read in parts", async () => {
    const bytes = pages(Array.from({ length: 10_000 }, () => say("x")));
    expect(await read(bytes, { from: 9_999 })).toEqual({ pages: 10_000, from: 9_999, parts: [{ text: "x" }, { text: "x" }] });
    expect(Object(await read(bytes)).parts).toHaveLength(100);
  });

  it("is read although it begins or ends as something else, too", async () => {
    const polyglot = Buffer.concat([pages([say("Safe")]), Buffer.from("\nPK\u0003\u0004<script>alert(1)</script>")]);
    expect(await read(polyglot)).toMatchObject({ parts: [{ text: "Safe" }] });
  });

  it("is loaded when its turn comes, so that those that wait take no memory", async () => {
    const { blobs, key, loads } = await storedFile(pages([say("One")]));
    const both = [1, 2].map(() => pdfPages(blobs, key, { from: 1, images: false }, installed));
    expect(await Promise.all(both)).toMatchObject([{ parts: [{ text: "One" }] }, { parts: [{ text: "One" }] }]);
    expect(loads).toEqual(["begins", "ends", "begins", "ends"]);
  });

  it("that is nested 200,000 deep or contains itself is read as far as that goes", async () => {
    const kids = "<< /Type /Pages /Count 1 /Kids [2 0 R] >>";
    expect(await read(pdf(["<< /Type /Catalog /Pages 2 0 R >>", kids]))).toEqual(expect.anything());
    expect(await read(pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /K ".repeat(200_000) + ">>".repeat(200_000)]))).toMatchObject({
      pages: 1,
    });
  });

  describe("that would never end", () => {
    const library = `${installed}node_modules/@hyzyla/pdfium/dist/index.cjs`;
    const xObject = (index: number) => `<< /XObject << /X ${index} 0 R >> /Pattern << /P 16 0 R >> >>`;
    const calls = "/X Do ".repeat(20);
    // Each of them draws the next one twenty times.
    const forms = Array.from({ length: 9 }, (_, index) =>
      stream(index === 8 ? "0 0 9 9 re f" : calls, `/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Resources ${xObject(8 + index)} `),
    );
    // It has no height, so that no number of them fills a page.
    const pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 0 /Resources << >> ";
    const [plain, large, slow] = ["0 0 9 9 re f", calls, "/Pattern cs /P scn 0 0 50 50 re f"];
    /** The page that takes all memory or all time, between two others or alone. */
    const endless = (content: string, isAlone = false) =>
      pdf([
        "<< /Type /Catalog /Pages 2 0 R >>",
        isAlone ? "<< /Type /Pages /Count 1 /Kids [4 0 R] >>" : "<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 5 0 R >>",
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 6 0 R /Resources ${xObject(7)} >>`,
        stream(plain),
        stream(content),
        ...forms,
        stream("0 0 3 3 re f", pattern),
      ]);
    const shown = (bytes: Uint8Array, { from = 1, timeout = 30_000 } = {}) =>
      readPdf({ bytes: async () => bytes, library, from, images: true, timeout });
    const image = { image: expect.any(Uint8Array) };

    it("is given up after its time or when it has all memory, and the next one is read", async () => {
      expect(await shown(endless(slow, true), { timeout: 50 })).toBe("The PDF takes more than 0.05 seconds to read.");
      expect(await shown(endless(large, true))).toBe("The PDF is damaged, or takes too much memory to read.");
      expect(await read(pages([say("Next")]))).toMatchObject({ parts: [{ text: "Next" }] });
    });

    it("comes up to the page that takes all memory, which has a sentence, and from the next page on", { tags: "nightly" }, async () => {
      const text = "(This page is damaged, or takes too much memory to read.)";
      expect(await shown(endless(large))).toEqual({ pages: 3, from: 1, parts: [image, { text }] });
      expect(await shown(endless(large), { from: 3 })).toEqual({ pages: 3, from: 3, parts: [image] });
    });

    it("comes up to the page that takes all the time, which has a sentence if it had all of it, and keeps no picture waiting", {
      tags: "nightly",
    }, async () => {
      const order: string[] = [];
      const picture = encodePng({ width: 1, height: 1, data: new Uint8Array(4) });
      const [found] = await Promise.all([
        shown(endless(slow), { timeout: 15_000 }).finally(() => order.push("PDF")),
        showInWorker({ bytes: picture, type: "image/png", as: "image/png" }).then(() => order.push("picture")),
      ]);
      expect([order, found]).toEqual([["picture", "PDF"], { pages: 3, from: 1, parts: [image] }]);
      const text = "(This page takes more than 15 seconds to read.)";
      expect(await shown(endless(slow), { from: 2, timeout: 15_000 })).toEqual({ pages: 3, from: 2, parts: [{ text }] });
    });
  });

  const encryption = `<< /Filter /Standard /V 1 /R 2 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> /P -4 >>`;
  const tree = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"];
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>";
  const bomb = () => deflateSync(Buffer.alloc(900_000_000, 0x20), { level: 1 }).toString("latin1");
  it.each([
    ["that is cut", () => pages([say("One")]).subarray(0, 150), {}, "The PDF is damaged, or takes too much memory to read."],
    [
      "that is encrypted",
      () => pdf([...tree, encryption], "/Encrypt 3 0 R /ID [<00><00>] "),
      {},
      "The PDF is encrypted and needs a password.",
    ],
    [
      "that is encrypted in an unknown way",
      () => pdf([...tree, encryption.replace("/Standard", "/Other")], "/Encrypt 3 0 R /ID [<00><00>] "),
      {},
      "The PDF is encrypted in a way that is not supported.",
    ],
    [
      "that unpacks to 900 MB",
      () => pdf([...tree, page, stream(bomb(), "/Filter /FlateDecode ")]),
      {},
      "The PDF is damaged, or takes too much memory to read.",
    ],
    ["that is no PDF", () => Buffer.from("Hello"), {}, "It is not a PDF."],
    ["with fewer pages", () => pages([say("One")]), { from: 2 }, "The PDF has only 1 page."],
    [
      "without the library",
      () => pages([say("One")]),
      { folder: "/nowhere/pdfium" },
      "PDFs can be read once PDFium is installed on the hub's machine: npm install --prefix /nowhere/pdfium @hyzyla/pdfium@2.1.13",
    ],
  ])("%s is a sentence, and the next one is read", async (_what, bytes, how, sentence) => {
    expect(await read(bytes(), how)).toBe(sentence);
    expect(await read(pages([say("Next")]))).toMatchObject({ parts: [{ text: "Next" }] });
  });
});
