import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editedBy, editorRows } from "../src/editor/editor.ts";
import { bufferOf, insert, type TextBuffer, undo } from "../src/editor/text-buffer.ts";

const press = (buffer: TextBuffer, ...names: string[]): TextBuffer =>
  names.reduce((present, name) => editedBy({ name }, present, 20) ?? present, buffer);

describe("a text being edited", () => {
  test("is navigated and cut by whole characters, however many code points they have", () => {
    const family = "👩‍👩‍👧";
    expect(press(bufferOf(`a${family}b`), "left", "left").cursor).toBe(1);
    expect(press(bufferOf(`a${family}`), "backspace").text).toBe("a");
    expect(press(bufferOf(`${family}b`, 0), "delete").text).toBe("b");
  });

  test("is navigated by words", () => {
    expect(press(bufferOf("one two, three"), "ctrl+left").cursor).toBe(9);
    expect(press(bufferOf("one two, three", 3), "alt+f").cursor).toBe(7);
    expect(press(bufferOf("one two"), "ctrl+w").text).toBe("one ");
  });

  test("accepts every platform's line breaks and drops control characters", () => {
    expect(insert(bufferOf(""), "a\r\nb\rc\u001b[31m\u0000\td").text).toBe("a\nb\nc[31m\td");
  });

  test("is undone word by word", () => {
    const typed = [..."one two"].reduce((buffer, text) => insert(buffer, text), bufferOf(""));
    expect(undo(typed).text).toBe("one");
    expect(undo(undo(typed)).text).toBe("");
  });

  test("keeps its column when the cursor moves up and down", () => {
    const buffer = bufferOf("a long line\nb\nanother line");
    expect(press(buffer, "up", "up").cursor).toBe(11);
    expect(press(bufferOf("漢字かな\nabcdef"), "up").cursor).toBe(3);
  });

  test("has its cursor on a row of the screen, and never inside a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", " ", "漢", "\n", "👩‍👩‍👧", "é") }),
        fc.nat(),
        fc.integer({ min: 4, max: 20 }),
        (text, at, width) => {
          const walked = press(bufferOf(text), ...Array.from({ length: at % 30 }, () => "left"));
          const { rows, cursor } = editorRows(walked, width);
          expect(cursor.row).toBeLessThan(rows.length);
          expect(cursor.column).toBeLessThan(width);
          expect(walked.text).toBe(text);
        },
      ),
    );
  });
});
