import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { KeyPress } from "../src/editor/key-press.ts";
import { aScreen } from "./support/screen.ts";

test("pictures have a line each with name, size and what they show, and v opens them in the browser", async () => {
  const { app, frame, settle, opened, id } = await aScreen({
    request: {
      questions: [
        {
          id: "which",
          type: "select",
          question: "Which one?",
          required: true,
          allowOther: true,
          images: [{ src: "before.png", alt: "The header \u001b[31mnow" }],
          options: [
            { label: "Light", value: "light", images: [{ src: "light.png" }] },
            { label: "Dark", value: "dark" },
          ],
        },
      ],
    },
  });
  const shown = () => frame.at({ columns: 80, rows: 24, plain: true }).lines.map((line) => stripVTControlCharacters(line));
  expect(shown().join("\n")).toContain("Picture: before.png, 1200 × 720, 27 KB; The header");
  expect(shown().join("\n")).toContain("Picture of Light: light.png, 1200 × 720, 27 KB");
  expect(shown().join("\n")).not.toContain("\u001b");
  expect(shown().at(-1)).toContain("v pictures");
  app.handleKey({ name: "v", text: "v" } as KeyPress);
  await settle();
  expect(opened).toEqual([id]);
  expect(shown().join("\n")).toContain("Opened in your browser.");
  expect(app.ui.overlay).toBeUndefined();
});
