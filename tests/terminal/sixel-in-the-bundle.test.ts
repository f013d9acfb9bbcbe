import { readdirSync } from "node:fs";
import { encodePng } from "@askbox/files/pixels";
import { expect, test } from "vitest";

const chunks = new URL("../../apps/askbox/dist/chunks/", import.meta.url);

test("the built command can encode sixels: its encoder runs in a module, too", async () => {
  const name = readdirSync(chunks).find((file) => /^sixel-.*\.js$/.test(file)) ?? "";
  const { sixelSequence } = await import(new URL(name, chunks).href);
  const png = encodePng({ width: 12, height: 6, data: new Uint8Array(12 * 6 * 4).fill(255) });
  const place = { row: 1, column: 1, columns: 2, rows: 1 };
  // White, all six rows of twelve columns.
  expect(sixelSequence(png, place, { width: 10, height: 20 })).toMatch(/"1;1;12;6#0;2;100;100;100#0!12~/);
});
