import { expect, test } from "vitest";
import { exactText, suspectCharacters, terminalText } from "../src/index.ts";

test("what is approved is shown with all its marks, of which a terminal would cut a heap", () => {
  const heap = `e${"\u0301".repeat(8)}x`;
  expect(exactText(heap)).toBe(`e${"\u0301".repeat(6)}⟨U+0301⟩⟨U+0301⟩x`);
  expect(terminalText(exactText(heap))).toBe(exactText(heap));
});

test.each([
  ["gіt push", "і (U+0456)"],
  ["сору a b", "с (U+0441),о (U+043E),р (U+0440),у (U+0443)"],
  ["bin/сору", "с (U+0441),о (U+043E),р (U+0440),у (U+0443)"],
  ["ｒｍ -rf x", "ｒ (U+FF52),ｍ (U+FF4D)"],
  ["rм x", "м (U+043C)"],
  ["𝐫𝐦 x", "𝐫 (U+1D42B),𝐦 (U+1D426)"],
  ["rm -rf ∕ x", "∕ (U+2215)"],
  ["curl https:⁄⁄example.com", "⁄ (U+2044)"],
  ["ꓚat a", "ꓚ (U+A4DA)"],
  ["pаypаl.com ɑ", "а (U+0430),ɑ (U+0251)"],
  // Words that nobody takes for Latin ones.
  ["echo Привет, мир", ""],
  ["git commit -m 'добавить файл'", ""],
  ["echo 你好 東京 café naïve 3×4", "× (U+00D7)"],
  ["echo --name=Привет", "р (U+0440),е (U+0435)"],
])("points out what looks like ASCII in %s", (text, suspects) => {
  expect(suspectCharacters(text).join()).toBe(suspects);
});

test("suspects of long texts take linear time", () => {
  for (const text of ["с".repeat(200_000), "сa ".repeat(60_000), "👨‍👩‍👧".repeat(20_000), "привет ".repeat(30_000)]) {
    const begun = performance.now();
    suspectCharacters(text);
    // A quadratic search would take minutes.
    expect(performance.now() - begun).toBeLessThan(10_000);
  }
});
