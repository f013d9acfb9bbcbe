import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { memoryBlobs } from "../src/index.ts";
import { pdfPages } from "../src/pdf/pdf.ts";
import { readPdf } from "../src/pdf/read-pdf.ts";

const stream = (data: string, entries = "") => `<< /Length ${data.length} ${entries}>>\nstream\n${data}\nendstream`;

/** A PDF of these objects, the first of which is its catalog. */
function pdf(objects: readonly string[], trailer = ""): Buffer {
  let out = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const start = out.length;
  out += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(out, "latin1");
}

const say = (text: string) => stream(`BT /F1 12 Tf 10 60 Td (${text}) Tj ET`);

/** A PDF with a page for each content. */
function pages(contents: readonly string[], box = "0 0 200 100"): Buffer {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const each = contents.flatMap((content, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    content,
  ]);
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return pdf(["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`, font, ...each]);
}

const installed = fileURLToPath(new URL("..", import.meta.url));

async function read(bytes: Uint8Array, { from = 1, images = false, folder = installed as string | undefined } = {}) {
  const blobs = memoryBlobs({ now: () => 0, sha256: (all) => createHash("sha256").update(all).digest("hex") });
  const key = { sessionId: "01j00000000000000000000001", id: "upload-1" };
  await blobs.append(
    key,
    0,
    (async function* () {
      yield bytes;
    })(),
  );
  return pdfPages(blobs, (await blobs.finish(key)) ?? key, { from, images }, folder);
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

  it("that is nested 200,000 deep or contains itself is read as far as that goes", async () => {
    const kids = "<< /Type /Pages /Count 1 /Kids [2 0 R] >>";
    expect(await read(pdf(["<< /Type /Catalog /Pages 2 0 R >>", kids]))).toEqual(expect.anything());
    expect(await read(pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /K ".repeat(200_000) + ">>".repeat(200_000)]))).toMatchObject({
      pages: 1,
    });
  });

  it("that would never end is given up after its time or when it has all memory, and the next one is read", async () => {
    const next = (index: number) => `<< /XObject << /X ${index} 0 R >> >>`;
    const calls = "/X Do ".repeat(20);
    // Each of them draws the next one twenty times.
    const forms = Array.from({ length: 9 }, (_, index) =>
      stream(index === 8 ? "0 0 9 9 re f" : calls, `/Type /XObject /Subtype /Form /BBox [0 0 200 100] /Resources ${next(6 + index)} `),
    );
    const endless = pdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources ${next(5)} >>`,
      stream(calls),
      ...forms,
    ]);
    const library = `${installed}node_modules/@hyzyla/pdfium/dist/index.cjs`;
    const wish = { bytes: endless, library, from: 1, images: true };
    expect(await readPdf({ ...wish, timeout: 50 })).toBe("The PDF takes more than 0.05 seconds to read.");
    expect(await readPdf(wish)).toBe("The PDF is damaged, or takes too much memory to read.");
    expect(await read(pages([say("Next")]))).toMatchObject({ parts: [{ text: "Next" }] });
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
