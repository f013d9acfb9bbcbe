/** A stream object of a PDF. `entries`: more of its dictionary. */
export const stream = (data: string, entries = "") => `<< /Length ${data.length} ${entries}>>\nstream\n${data}\nendstream`;

/** A PDF of these objects, the first of which is its catalog. */
export function pdf(objects: readonly string[], trailer = ""): Buffer {
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

/** The content of a page with a line of text. */
export const say = (text: string) => stream(`BT /F1 12 Tf 10 60 Td (${text}) Tj ET`);

/** A PDF with a page for each content. */
export function pages(contents: readonly string[], box = "0 0 200 100"): Buffer {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const each = contents.flatMap((content, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    content,
  ]);
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return pdf(["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`, font, ...each]);
}
