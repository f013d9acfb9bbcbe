import fc from "fast-check";
import { cleanName, disposition, fileType, isPicture } from "../../../packages/files/src/name-and-type.ts";
import { dimensionsOf, withoutMetadata } from "../../../packages/files/src/picture/picture-bytes.ts";
import { decodePng } from "../../../packages/files/src/picture/pixels.ts";
import { fuzz } from "../engine/fuzz.ts";
import { place } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

/** A PNG with an author, one with a palette, a WebP and a JPEG with EXIF, and a GIF; all are small. */
const samples = [
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAACnRFWHRBdXRob3IAQWRhnZUL9AAAAA5JREFUeJxjYUcCTMgcAAkkAK+1Poy6AAAAAElFTkSuQmCC",
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACBAMAAABvWnspAAAABlBMVEUBAgMEBQaVU29IAAAAAXRSTlMAQObYZgAAAA5JREFUeJxjYBRgEGAEAABsACMqwWCcAAAAAElFTkSuQmCC",
  "UklGRjAAAABXRUJQVlA4WAoAAAAMAAAAAgAAAQAAVlA4TAYAAAAvAkAAAABFWElGBAAAAE1NACo=",
  "/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/wAALCAAEAAQBAREA/9oACAEBAAA/ABL/ADT/0FZ4/9k=",
  "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==",
].map((text) => Buffer.from(text, "base64"));

/** Pieces of which a part is removed, and bytes or a text inserted. */
const edits = fc.array(
  fc.record({
    place,
    cut: fc.nat(12),
    put: fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 }) },
      { weight: 1, arbitrary: oddText },
    ),
  }),
  { maxLength: 3 },
);

/** Undefined for what is refused; the worker that decodes tells of any error as a picture that cannot be reduced. */
function decoded(png: Uint8Array) {
  try {
    return decodePng(png);
  } catch {
    return undefined;
  }
}

/** Files of people and agents: their types, sizes and names, and pictures without metadata. */
fuzz({
  name: "pictures",
  input: fc.record({ sample: fc.nat(samples.length - 1), edits, name: oddText }),
  runs: 400,
  open: () => ({
    take({ sample, edits, name }) {
      let bytes: Buffer = samples[sample] ?? Buffer.alloc(0);
      for (const { place, cut, put } of edits) {
        const at = Math.floor(place * (bytes.length + 1));
        const inserted = typeof put === "string" ? Buffer.from(writeOut(put), "latin1") : Buffer.from(put);
        bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + cut)]);
      }
      const clean = cleanName(writeOut(name));
      if (clean === "" || clean.length > 121 || /[/\\\p{Cc}\p{Cf}]|^\.|\.$/u.test(clean))
        fault(`This name is not safe: ${JSON.stringify(clean)}`);
      new Headers({ "content-disposition": disposition(clean, false) });
      const type = fileType(bytes);
      if (!isPicture(type)) return;
      const size = dimensionsOf(bytes, type);
      const plain = withoutMetadata(bytes, type);
      if (plain === undefined || size === undefined) return;
      if (plain.length > bytes.length + 36) fault("Without metadata it is larger.");
      if (fileType(plain) !== type) fault("Without metadata it is of another type.");
      if (Buffer.compare(withoutMetadata(plain, type) ?? Buffer.alloc(0), plain) !== 0) fault("Metadata remains.");
      if (type !== "image/png" || size.width * size.height > 10_000) return;
      const pixels = decoded(plain);
      if (pixels !== undefined && pixels.data.length !== size.width * size.height * 4) fault("It has more or fewer pixels than it says.");
    },
  }),
});
