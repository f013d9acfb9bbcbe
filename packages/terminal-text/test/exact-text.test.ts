import { expect, test } from "vitest";
import { exactText, terminalText } from "../src/index.ts";

test("what is approved is shown with all its marks, of which a terminal would cut a heap", () => {
  const heap = `e${"\u0301".repeat(8)}x`;
  expect(exactText(heap)).toBe(`e${"\u0301".repeat(6)}⟨U+0301⟩⟨U+0301⟩x`);
  expect(terminalText(exactText(heap))).toBe(exactText(heap));
});
