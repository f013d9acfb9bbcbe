import { stripVTControlCharacters } from "node:util";
import type { Question } from "@askbox/core";
import { expect, test } from "vitest";
import type { KeyPress } from "../src/editor/editor.ts";
import { aScreen } from "./support/screen.ts";

const which: Question = {
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
};

test("pictures have a line each with name, size and what they show, and v opens them in the browser", async () => {
  const { app, frame, settle, opened, viewed, id } = await aScreen({ request: { questions: [which] } });
  const shown = () => frame.at({ columns: 80, rows: 24, plain: true }).lines.map((line) => stripVTControlCharacters(line));
  expect(shown().join("\n")).toContain("Picture: before.png, 1200 × 720, 27 KB; The header");
  expect(shown().join("\n")).toContain("Picture of Light: light.png, 1200 × 720, 27 KB");
  expect(shown().join("\n")).not.toContain("\u001b");
  expect(shown().at(-1)).toContain("v pictures");
  app.handleKey({ name: "v", text: "v" } as KeyPress);
  await settle();
  expect([opened, viewed]).toEqual([[id], []]);
  expect(shown().join("\n")).toContain("Opened in your browser.");
  expect(app.ui.overlay).toBeUndefined();
});

test("in a terminal that shows pictures, v shows those of the agent and those that are attached", async () => {
  const { app, frame, settle, opened, viewed } = await aScreen({ request: { questions: [which] }, showsPictures: true });
  const shown = () => frame.at({ columns: 80, rows: 24, plain: false }).lines.map((line) => stripVTControlCharacters(line));
  expect(shown().join("\n")).toContain("Press v to see them.");
  const file = { name: "mine.jpg", size: 2_000, mimeType: "image/jpeg", sha256: "a".repeat(64) };
  app.form()?.setFiles("which", [file, { ...file, name: "notes.txt", mimeType: "text/plain", sha256: "b".repeat(64) }]);
  await settle();
  app.handleKey({ name: "v", text: "v" });
  await settle();
  expect(viewed.map(({ caption }) => caption)).toEqual([
    expect.stringContaining("Picture: before.png"),
    "Picture of Light: light.png, 1200 × 720, 27 KB",
    "Attached: mine.jpg, 2 KB",
  ]);
  expect(opened).toEqual([]);
});

test("in the review, v shows the pictures that come with the comment", async () => {
  const { app, frame, settle, viewed } = await aScreen({ request: { questions: [which, { ...which, id: "other" }] }, showsPictures: true });
  const shown = () => frame.at({ columns: 120, rows: 24, plain: false }).lines.map((line) => stripVTControlCharacters(line));
  app.form()?.goTo(2);
  expect(shown().at(-1)).not.toContain("v pictures");
  app.form()?.setComment("", [{ name: "mine.jpg", size: 2_000, mimeType: "image/jpeg", sha256: "a".repeat(64) }]);
  await settle();
  expect(shown().join("\n")).toContain("v pictures");
  app.handleKey({ name: "v", text: "v" });
  await settle();
  expect(viewed.map(({ caption }) => caption)).toEqual(["Attached: mine.jpg, 2 KB"]);
});
