import { type Answer, checkAnswers, parseAsk } from "@askbox/core";
import { answerText, expectedAnswer, isTyped, offeredOptions, traitsOf } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { asked, refusalOf } from "./support.ts";

const picture = { name: "shot.png", mimeType: "image/png", size: 2_000, sha256: "a".repeat(64) };
const check = (answer: Partial<Answer>, fields: Record<string, unknown> = {}) => {
  const question = asked("file", fields);
  const checked = checkAnswers([question], [{ questionId: question.id, values: [], ...answer }]);
  return checked.ok ? checked.answers.map(({ values }) => values) : checked.issues.map(({ code, message }) => `${code}: ${message}`);
};

describe("a question for files", () => {
  test("is answered by what is attached, whose names are its values", () => {
    expect(check({ files: [picture, { ...picture, name: "log.txt" }] })).toEqual([["shot.png", "log.txt"]]);
    expect(check({ values: ["other.png"], files: [picture] })).toEqual([["shot.png"]]);
    const names = answerText(asked("file"), { questionId: "q", values: [], files: [picture, { ...picture, name: "log.txt" }] });
    expect(names).toBe("[shot.png] [log.txt]");
  });

  test("is not answered by names or words without a file", () => {
    expect(check({ values: ["shot.png"] })).toEqual(["required: An answer is required."]);
    expect(check({ values: ["shot.png"] }, { required: false })).toEqual([[]]);
    expect(check({ customText: "None" })).toEqual(["shape: Attach files; a text can be the note."]);
  });

  test("accepts as many and as large files as it says, of the types it says", () => {
    const limits = { accept: "image/*, application/pdf", maxFiles: 1, maxBytes: 1_500_000 };
    expect(check({ files: [picture] }, limits)).toEqual([["shot.png"]]);
    expect(check({ files: [picture, picture] }, limits)).toEqual(["too_many_files: Attach at most 1 file; there are 2."]);
    expect(check({ files: [{ ...picture, size: 1_600_000 }] }, limits)).toEqual([
      'file_too_large: "shot.png" has 1.6 MB; at most 1.5 MB are accepted.',
    ]);
    expect(check({ files: [{ ...picture, name: "a.csv", mimeType: "text/plain" }] }, limits)).toEqual([
      'not_accepted: "a.csv" is of type text/plain; image/*, application/pdf is accepted.',
    ]);
    expect(expectedAnswer(asked("file", limits))).toBe("a file (image/*, application/pdf) of at most 1.5 MB");
    expect(expectedAnswer(asked("file", { maxFiles: 3, maxBytes: 500 }))).toBe("up to 3 files of at most 500 bytes each");
    expect(expectedAnswer(asked("file"))).toBe("up to 20 files");
  });

  test.each([
    ["text/csv", "text/plain", true],
    ["application/json", "text/plain", true],
    ["application/ld+json", "text/plain", true],
    ["application/pdf", "text/plain", false],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip", true],
    ["application/zip", "application/zip", true],
    ["application/pdf", "application/zip", false],
    ["image/png", "image/jpeg", false],
    ["*/*", "application/octet-stream", true],
  ])("that accepts %s has a file of %s: %s", (accept, mimeType, isAccepted) => {
    expect(check({ files: [{ ...picture, mimeType }] }, { accept: [accept] })).toEqual(
      isAccepted ? [["shot.png"]] : [expect.stringContaining("not_accepted")],
    );
  });

  test("is neither typed nor picked", () => {
    const question = asked("file");
    expect([isTyped(question), offeredOptions(question), traitsOf(question)]).toEqual([
      ...[false, []],
      { attached: true, widget: "files", metavar: "PATH" },
    ]);
  });

  test("is recognised by the names that agents use for it", () => {
    const { questions } = parseAsk({ questions: [{ question: "?", type: "Upload" }] }, { ids: seededIds() });
    expect(questions).toMatchObject([{ type: "file" }]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ accept: [".png"] }, 'questions[0] has ".png" in accept; use media types such as "image/*"'],
    [{ accept: "image" }, 'questions[0] has "image" in accept; use media types such as "image/*"'],
    [{ maxFiles: 21 }, "questions[0].maxFiles must be at most 20"],
    [{ maxBytes: 0 }, "questions[0].maxBytes must be at least 1"],
  ])("with %j is rejected with a sentence", (fields, sentence) => {
    expect(refusalOf("file", fields)).toBe(sentence);
  });
});
