import { blockSize, numbersIn, SearchBlockBuilder, searchGrams, searchWords } from "@askbox/core/stores";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** The texts that a search for these words compares; undefined if the index can't help. */
function searcher(texts: readonly string[]): (search: string) => number[] | undefined {
  const builder = new SearchBlockBuilder();
  for (const text of texts) builder.add(text);
  const parts = new Map([...builder.parts()].map(({ part, bytes }) => [part, bytes]));
  return (search) => {
    const grams = searchGrams(searchWords(search));
    return grams && [...builder.always, ...numbersIn(grams, (part) => parts.get(part))].sort((left, right) => left - right);
  };
}

describe("a block of a search's index", () => {
  test("names every text that contains all words, whatever the characters", () => {
    // Few characters, so that words are found: of one, two and three bytes, outside the basic plane, half of such a one, and NUL.
    const text = fc.string({ unit: fc.constantFrom("a", "b", "ä", "日", "👩", "\ud83d", "\u0000", " ", "\n", "*", '"'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), fc.array(text, { maxLength: 10 }), (texts, searches) => {
        const candidatesFor = searcher(texts);
        const parts = texts.flatMap((part) => [part.slice(2, 8), `${part.slice(0, 4)} ${part.slice(-5)}`]);
        for (const search of [...searches, ...parts]) {
          const words = searchWords(search);
          const found = texts.flatMap((one, number) => (words.every((word) => one.includes(word)) ? [number] : []));
          const candidates = candidatesFor(search);
          if (candidates !== undefined) expect(candidates).toEqual(expect.arrayContaining(found));
        }
      }),
    );
  });

  test("names few others", () => {
    const texts = Array.from(
      { length: blockSize },
      (_, number) => `the deployment of service ${number} to region ${number % 7} has failed`,
    );
    const candidatesFor = searcher(texts);
    expect(candidatesFor("service 1023")).toEqual([1_023]);
    expect(candidatesFor("region failed")).toHaveLength(blockSize);
    expect(candidatesFor("deployments")).toEqual([]);
    expect(candidatesFor("has xyz")).toEqual([]);
  });

  test("can't help with words of one or two characters alone", () => {
    const candidatesFor = searcher(["ab cd efg"]);
    expect([candidatesFor("ab cd"), candidatesFor("")]).toEqual([undefined, undefined]);
    expect(candidatesFor("ab efg")).toEqual([0]);
  });

  test("names a huge text in every search, and one that could not be read, and stays small", () => {
    const huge = Array.from({ length: 20_000 }, (_, number) => String.fromCharCode(0x4e00 + number)).join("");
    const builder = new SearchBlockBuilder();
    for (const text of [huge, "small", "a".repeat(1_000_000), undefined]) builder.add(text);
    expect(builder.always).toEqual([0, 2, 3]);
    expect([...builder.parts()].reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe("small".length * 5 - 2 * 5);
    expect(searcher([huge, "small"])("nowhere")).toEqual([0]);
  });

  test("is read as it was written, since it is stored", () => {
    const builder = new SearchBlockBuilder();
    for (const text of ["abc", "abcd", "xabc"]) builder.add(text);
    expect([...builder.parts()].map(({ part, bytes }) => [part, Buffer.from(bytes).toString("hex")])).toMatchInlineSnapshot(`
      [
        [
          24,
          "be237c03000101",
        ],
        [
          109,
          "e633630102",
        ],
        [
          143,
          "4cb4480101",
        ],
      ]
    `);
  });
});
