import { anchored, commentList, commentOn, diffLines, diffPairs, documentLines, endsOf } from "@askbox/core/documents";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { mutatedText, place } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

const git = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ function a() {
 one
-two
+2
+2.5
 three
\\ No newline at end of file
--- a/b.md
+++ /dev/null
@@ -7 +0,0 @@
-gone
`;
const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ function a()
 one
-two
+2
*** End Patch`;
const plan = "# Plan\n\n1. Read\n2. Write\n\n```diff\n-a\n+b\n```\n";

/** Documents to review: diffs, patches and markdown, and comments on their lines. */
fuzz({
  name: "documents",
  input: fc.record({ document: mutatedText([git, patch, plan]), from: place, to: place, text: oddText }),
  runs: 400,
  open: () => ({
    take(input) {
      const document = writeOut(input.document).slice(0, 1_000_000);
      const text = writeOut(input.text);
      for (const isDiff of [true, false]) {
        const lines = documentLines(document, isDiff);
        const written = lines.map((line) => line.text).join("\n");
        if (written !== document && `${written}\n` !== document) fault("A line of the document is missing or changed.");
        const at = (share: number) => Math.floor(share * lines.length);
        const comment = commentOn(lines, at(input.from), at(input.to), text);
        if (comment === undefined) continue;
        const kept = anchored(document, [comment]);
        // A document that repeats a place may have another line there.
        if (isDiff === documentLines(document).some(({ diff }) => diff !== undefined) && typeof kept === "string") fault(kept);
        if (endsOf(lines, [comment])[0] === undefined) fault("A comment's line is not found.");
        commentList([comment]);
      }
      const lines = diffLines(document);
      const shown = new Set(diffPairs(lines).flatMap((pair) => ("whole" in pair ? pair.whole : [pair.left, pair.right])));
      if (lines.some((line) => !shown.has(line))) fault("A line is not shown side by side.");
    },
  }),
});
