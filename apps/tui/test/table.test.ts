import { describe, expect, it } from "vitest";
import { markdownRows } from "../src/markdown/markdown.ts";

const drawn = (text: string, width: number, plain = false) =>
  markdownRows(text, width, plain).map((row) => row.map((part) => part.text).join(""));

const stores = "| Store | Writes | Note |\n|:--|--:|:-:|\n| `sqlite` | 900 | one file |\n| Redis | 12000 | shared |";

describe("a table in the terminal", () => {
  it("is drawn with its columns and their alignment if it fits", () => {
    expect(drawn(stores, 80)).toEqual([
      "Store  │ Writes │   Note",
      "───────┼────────┼─────────",
      "sqlite │    900 │ one file",
      "Redis  │  12000 │  shared",
    ]);
  });

  it("breaks long cells between words, with a line between rows", () => {
    const table = "| Way | Means |\n|---|---|\n| Soft | Rows stay and are marked as gone |\n| Hard | Rows are gone at once |";
    expect(drawn(table, 28)).toEqual([
      "Way  │ Means",
      "─────┼──────────────────────",
      "Soft │ Rows stay and are",
      "     │ marked as gone",
      "─────┼──────────────────────",
      "Hard │ Rows are gone at once",
    ]);
  });

  it("gives the narrow columns what they need before the wide ones", () => {
    const table = `| A | B | C |\n|---|---|---|\n| ${"word ".repeat(30)} | ${"more ".repeat(30)} | twelve chars |`;
    const [head = "", ...rows] = drawn(table, 60);
    expect(head.split("│").map((part) => part.length)).toEqual([22, 23, 2]);
    expect(rows.every((row) => row.length <= 60)).toBe(true);
    expect(rows[1]).toContain("│ twelve chars");
  });

  it("becomes a list if a word would be broken, and for a screen reader", () => {
    const list = ["• Store: sqlite", "  Writes: 900", "  Note: one file", "• Store: Redis", "  Writes: 12000", "  Note: shared"];
    expect(drawn(stores, 20)).toEqual(list);
    expect(drawn(stores, 80, true)).toEqual(list);
  });

  it("gives East Asian columns their actual width, and breaks them between characters", () => {
    expect(drawn("| 名称 | 说明 |\n|---|---|\n| 甲 | 一二三四五六七八九十 |", 24)).toEqual([
      "名称 │ 说明",
      "─────┼──────────────────",
      "甲   │ 一二三四五六七八",
      "     │ 九十",
    ]);
  });

  it("removes terminal control sequences from its cells", () => {
    const shown = drawn("| a\u001b[31m | b |\n|---|---|\n| \u202egpj.exe | x |", 60).join("\n");
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toContain("\u202e");
  });
});
