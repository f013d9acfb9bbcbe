import { checkAnswers } from "@askbox/core";
import { anchored, commentList, documentLines, isDiff } from "@askbox/core/documents";
import { answerText, offeredOptions, traitsOf } from "@askbox/core/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asked, refusalOf } from "./support.ts";

const diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const check = (answer: object) => {
  const question = asked("review", { document: diff });
  const checked = checkAnswers([question], [{ questionId: question.id, values: [], ...answer }]);
  return checked.ok ? checked.answers[0]?.values : checked.issues.map(({ code }) => code);
};

describe("a review", () => {
  test("is a verdict on a document, and approving with words is approving with comments", () => {
    const comments = [{ line: 1, text: "Why?" }];
    expect(offeredOptions(asked("review", { document: diff })).map(({ value }) => value)).toEqual([
      "approve",
      "approve_with_comments",
      "request_changes",
    ]);
    expect(check({ values: ["approve"] })).toEqual(["approve"]);
    expect(check({ values: ["approve"], note: "Good" })).toEqual(["approve_with_comments"]);
    expect(check({ values: ["approve"], comments })).toEqual(["approve_with_comments"]);
    expect(check({ values: ["approve_with_comments"] })).toEqual(["approve"]);
    expect(check({ values: ["request_changes"] })).toEqual(["request_changes"]);
    expect(check({ values: ["reject"] })).toEqual(["shape"]);
    expect(check({ values: ["approve"], customText: "yes" })).toEqual(["shape"]);
    expect(check({})).toEqual(["required"]);
    expect(answerText(asked("review", { document: diff }), { questionId: "q", values: ["request_changes"] })).toBe("Request changes");
    expect(traitsOf(asked("review", { document: diff }))).toMatchObject({ picks: "one", readFirst: true, singleUse: true });
  });

  test.each([
    [{ document: " " }, "questions[0] needs a document of 1 to 204800 bytes"],
    [{ document: "ä".repeat(102_401) }, "questions[0] needs a document of 1 to 204800 bytes"],
  ])("of nothing, or of too much, is rejected", (fields, sentence) => {
    expect(refusalOf("review", fields)).toBe(sentence);
  });
});

describe("comments", () => {
  test("on a diff are anchored by file, side and line, and quote the text", () => {
    const path = "src/a.ts";
    const comments = anchored(diff, [
      { path, side: "old", line: 2, text: "Keep it" },
      { path, side: "new", line: 1, endLine: 3, text: "All\nof it" },
    ]);
    expect(comments).toMatchObject([{ quote: "two" }, { quote: "one\n2\nthree" }]);
    expect(commentList(comments as Exclude<typeof comments, string>)).toBe(
      "- src/a.ts:2 (old)\n  > two\n\n  Keep it\n- src/a.ts:1-3\n  > one\n  > 2\n  > three\n\n  All\n  of it",
    );
  });

  test("on lines that are not there, or have another text, are rejected with a sentence", () => {
    expect(anchored("a\nb", [{ line: 3, text: "?" }])).toBe("Line 3 is not in the document.");
    expect(anchored("a\nb", [{ line: 2, endLine: 1, text: "?" }])).toBe("Lines 2-1 is not in the document.");
    expect(anchored("a\nb", [{ line: 2, quote: "a", text: "?" }])).toBe("Line 2 doesn't have the text that is quoted.");
  });

  test("can be made on every line that has a place, whatever the document is", () => {
    const piece = fc.constantFrom(
      "--- a/x\n",
      "+++ b/x\n",
      "@@ -1,2 +1,2 @@\n",
      " same\n",
      "-old\n",
      "+new\n",
      "\\ No newline\n",
      "*** Begin Patch\n",
      "@@\n",
      "\r\n",
      "\ud83d\n",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const document = pieces.join("");
        const lines = documentLines(document);
        expect(lines.map(({ text }) => text).join("\n")).toBe(isDiff(document) ? document.replace(/\n$/, "") : document);
        for (const { place } of lines) if (place !== undefined) expect(anchored(document, [{ ...place, text: "?" }])).toHaveLength(1);
      }),
    );
  });
});
