import fc from "fast-check";
import { loadRichText, previewRows, richRows } from "../../../apps/tui/src/markdown/rich-text.ts";
import { rowWidth } from "../../../apps/tui/src/text/row.ts";
import { fuzz } from "../engine/fuzz.ts";
import { markdown } from "../engine/markdown.ts";
import { writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

const unsafe = /\p{Cc}|\p{Bidi_Control}|\p{Cs}/u;

/** An agent's markdown becomes rows of the terminal inbox: no wider than it, and without control sequences. */
fuzz({
  name: "terminal-markdown",
  input: fc.record({ text: markdown, width: fc.integer({ min: 20, max: 120 }) }),
  runs: 12,
  async open() {
    await loadRichText();
    return {
      take({ text: template, width }) {
        const text = writeOut(template);
        for (const row of [...richRows(text, width, false), ...previewRows(text, width, false)]) {
          const [odd] = row.filter((part) => unsafe.test(part.text));
          if (odd !== undefined) fault(`Not clean: ${JSON.stringify(odd.text)}`);
          if (rowWidth(row) > width + 2) fault(`A row has ${rowWidth(row)} columns of ${width}.`);
        }
      },
    };
  },
});
