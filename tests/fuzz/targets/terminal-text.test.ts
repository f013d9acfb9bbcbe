import { terminalJson, terminalLine, terminalText, textWidth, truncateLine, wrapText } from "@askbox/terminal-text";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutatedText } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

const pieces = fc.oneof(
  oddText,
  fc.constantFrom(
    "\u001b[31m",
    "\u009b2J",
    "\u001b]8;;http://x\u001b\\",
    "\u001bP",
    "\u0090",
    "\u009c",
    "\u0007",
    "\u200d",
    "\ufe0f",
    "\u{e0041}",
    "👩",
    "क्‍ष",
    "\t",
    "\r",
  ),
);
const text = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((made) => made.join("")),
  mutatedText(["# Title\n\n- one\n- **two** `three`\n", "\u001b[1mbold\u001b[0m 界界 🇩🇪👨‍👩‍👧"]),
);
const unsafe = /(?!\n)\p{Cc}|\p{Bidi_Control}|\p{Cs}/u;

/** Whatever an agent writes is displayed by a terminal, and never executed. */
fuzz({
  name: "terminal-text",
  input: fc.record({ text, width: fc.integer({ min: -1, max: 120 }) }),
  runs: 20,
  open: () => ({
    take({ text: template, width }) {
      const raw = writeOut(template);
      const cleaned = terminalText(raw);
      if (unsafe.test(cleaned)) fault(`Not clean: ${JSON.stringify(unsafe.exec(cleaned))}`);
      if (terminalText(cleaned) !== cleaned) fault("What is clean already was changed.");
      const line = terminalLine(raw);
      if (line.includes("\n") || unsafe.test(line)) fault("A line is not clean.");
      if (textWidth(truncateLine(line, width)) > Math.max(0, width)) fault("A line that was cut is too wide.");
      const room = Math.max(2, width);
      const rows = wrapText(cleaned.slice(0, 20_000), width);
      for (const row of rows)
        if (textWidth(row) > room && [...new Intl.Segmenter().segment(row)].length > 1)
          fault(`A row has ${textWidth(row)} columns of ${room}.`);
      const json = JSON.stringify({ raw });
      const shown = terminalJson(json);
      if (JSON.parse(shown).raw !== raw) fault("Escaped JSON says something else.");
      if (/[\u007f-\u009f]|\p{Bidi_Control}/u.test(shown)) fault("JSON for a terminal is not clean.");
    },
  }),
});
