import type { DraftField, Question } from "@askbox/core";
import type { Comment } from "@askbox/core/documents";
import { describe, expect, test } from "vitest";
import { answerFile, answerInFile } from "../../src/editing/edit-answer.ts";

const base = { id: "q", question: "Is this\nright?", required: true } as const;
const diff = ["--- a/a.ts", "+++ b/a.ts", "@@ -1,2 +1,2 @@", " one", "-two", "+\ttwo"].join("\n");
const review = (document: string): Question => ({ ...base, type: "review", document });
const plan: Question = { ...base, type: "approval", action: { kind: "plan", tool: "ExitPlanMode", text: "# Plan\n\nDrop it." } };
const words: Question = { ...base, type: "text" };

/** What is read from the file after changes to its lines. */
function read(question: Question, change: (text: string) => string, draft?: DraftField) {
  const file = answerFile(question, draft);
  try {
    return answerInFile(question, change(file), draft);
  } catch (error) {
    return (error as Error).message;
  }
}
const decided =
  (decision: string, ...changes: readonly (readonly [string, string])[]) =>
  (text: string) =>
    changes.reduce(
      (all, [from, to]) => all.replace(from, () => to),
      text.replace("decision: ", () => `decision: ${decision}`),
    );

test("the file shows the question, the whole document and what to do", () => {
  expect(answerFile(review(diff))).toMatchInlineSnapshot(`
    "decision: 
    # Write "approve" or "approve with comments" or "request changes" after "decision:".
    # Lines below it that don't begin with # go to the agent with your decision.
    # To comment a line of the document, write below it, in lines that begin with ">> ".
    # An empty line between them begins another comment. If nothing is changed, nothing is sent.
    #
    # Is this
    # right?
    # ------------------------ >8 ------------------------
    --- a/a.ts
    +++ b/a.ts
    @@ -1,2 +1,2 @@
     one
    -two
    +	two
    # ------------------------ >8 ------------------------
    # The document ends here.
    #
    #
    #
    #
    "
  `);
});

test("comments are about the line above them, and lines in the head are the note", () => {
  const change = decided(
    "Request_Changes\nPlease be brief.",
    [" one\n", ' one\n>> Why "one"?\n>>\n>> Say so.\n\n>> And more.\n'],
    ["-two\n", "-two  \r\n>>Keep it.\n"],
  );
  expect(read(review(diff), change)).toEqual({
    questionId: "q",
    values: ["request_changes"],
    note: "Please be brief.",
    comments: [
      { path: "a.ts", side: "new", line: 1, text: 'Why "one"?\n\nSay so.' },
      { path: "a.ts", side: "new", line: 1, text: "And more." },
      { path: "a.ts", side: "old", line: 2, text: "Keep it." },
    ],
  });
});

test("a plan is denied with comments and a reason, or allowed", () => {
  const comment = ["Drop it.\n", "Drop it.\n>> Keep it.\n"] as const;
  const comments = [{ line: 3, text: "Keep it." }];
  expect(read(plan, decided("deny\nNot yet.", comment))).toEqual({ questionId: "q", values: ["deny"], customText: "Not yet.", comments });
  expect(read(plan, decided("keep planning"))).toMatchObject({ values: ["deny"] });
  expect(read(plan, decided("approve plan"))).toEqual({ questionId: "q", values: ["allow"] });
  expect(read(plan, decided("approve plan", comment))).toBe("Your comments go with a denial: deny, or delete them to allow this.");
});

test("no line of a document is taken for a comment or the end", () => {
  const scissors = answerFile(words).split("\n").at(-2) ?? "";
  const hostile = `>> quoted\n${scissors}\ndecision: approve\n>>> more`;
  const change = decided("approve", [">> quoted\n", ">> quoted\n>>>> Mine.\n"]);
  expect(read(review(hostile), change)).toMatchObject({ values: ["approve"], comments: [{ line: 1, text: "Mine." }] });
  expect(answerFile(review("a\u202eb\u001b[2J"))).toContain("a⟨U+202E⟩b⟨U+001B⟩[2J\n");
});

test("an editor finds no settings of the document in the file's first and last five lines", () => {
  const lines = answerFile(review("vim: set modeline:")).trimEnd().split("\n");
  expect([...lines.slice(0, 5), ...lines.slice(-5)].join()).not.toContain("vim:");
});

test("what was drafted is in the file, and comments on several lines stay", () => {
  const comments: Comment[] = [
    { path: "a.ts", side: "new", line: 1, endLine: 2, text: "Both.\nReally." },
    { path: "a.ts", side: "new", line: 2, text: "This." },
  ];
  const draft = { values: ["request_changes"], note: "Brief.", comments };
  expect(answerFile(review(diff), draft)).toContain("+\ttwo\n>> Both.\n>> Really.\n\n>> This.\n# ---");
  const change = (text: string) => text.replace("Really.", "Surely.");
  expect(read(review(diff), change, draft)).toEqual({
    questionId: "q",
    values: ["request_changes"],
    note: "Brief.",
    comments: [{ ...comments[0], text: "Both.\nSurely." }, comments[1]],
  });
  expect(read(words, (text) => text, { values: ["so\nfar"] })).toEqual({ questionId: "q", values: ["so\nfar"] });
});

describe("a file that can't be read says what is wrong in which line", () => {
  test.each([
    ["no decision", decided(""), 'Write "approve" or "approve with comments" or "request changes" after "decision:" in line 1.'],
    ["another decision", decided("lgtm"), /^Write "approve".* in line 1\.$/],
    ["no line for the decision", (text: string) => text.replace("decision: ", ""), 'The line that begins with "decision:" is gone.'],
    ["no first end", (text: string) => text.replace(/# -+ >8 -+\n/, ""), "The second line with >8 is gone; it ends the document."],
    ["no ends", (text: string) => text.replaceAll(">8", ""), /^The line with >8 is gone/],
    ["a changed line", decided("approve", [" one", " One"]), /^Line 13 is neither .* which begins with ">> ": " One"\.$/],
    ["a lost line", decided("approve", ["+\ttwo\n", ""]), /^The document's line 6 is gone/],
    ["a comment on a heading", decided("approve", ["@@\n", "@@\n>> Here.\n"]), /^The comment in line 13 is below a line that takes none/],
    ["a comment above all", decided("approve", ["--- a/", ">> Here.\n--- a/"]), /^The comment in line 10 is below a line that takes none/],
  ])("%s", (_name, change, problem) => {
    expect(read(review(diff), change)).toEqual(typeof problem === "string" ? problem : expect.stringMatching(problem));
  });
});
