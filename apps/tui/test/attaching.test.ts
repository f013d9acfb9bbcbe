import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { AskboxError, type DraftPatch, type Question } from "@askbox/core";
import { expect, onTestFinished, test } from "vitest";
import { completePath, droppedFiles, readPath } from "../src/terminal/path.ts";
import { aScreen, size } from "./support/screen.ts";

const picture = { name: "shot.png", mimeType: "image/png", size: 12_000, sha256: "a".repeat(64) };
const look: Question = { id: "look", type: "file", question: "What does it look like?", required: true, accept: ["image/*"], maxFiles: 2 };
const name: Question = { id: "name", type: "text", question: "What is it called?", required: true };

async function opened(questions: Question | [Question, ...Question[]], upload: (path: string) => Promise<typeof picture>) {
  const paths: string[] = [];
  const screen = await aScreen({
    request: { questions: [questions].flat() as [Question] },
    undoDelay: 0,
    upload: async (_id, path) => {
      paths.push(path);
      return upload(path);
    },
    files: async (_session, answers) => [...answers],
  });
  const { app, frame, settle, broker, id } = screen;
  const draw = () => stripVTControlCharacters(frame.at(size).lines.join("\n"));
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      draw();
      app.handleKey({ name: key, ...([...key].length === 1 ? { text: key } : {}) });
      await settle();
    }
    return draw();
  };
  const type = async (text: string) => {
    app.handlePaste(text);
    await settle();
    return draw();
  };
  draw();
  const outcome = async () => (await broker.desk({ surface: "api" }).get(id)).outcome;
  const thread = async () => (await broker.desk({ surface: "api" }).get(id)).thread;
  /** From another device. */
  const saveDraft = async (patch: DraftPatch) => {
    await broker.desk({ surface: "web" }).saveDraft(id, patch);
    await settle();
  };
  return { press, type, outcome, thread, draw, paths, app, frame, saveDraft };
}

const optional = ["one", "two"].map((id): Question => ({ id, type: "confirm", question: `${id}?`, required: false }));
const [one, two] = optional as [Question, Question];
const decision: Question = { id: "run", type: "approval", question: "May I?", required: true, action: { kind: "command", command: "ls" } };

test("files are attached by their paths, and sent as the answer", async () => {
  const { press, type, outcome, draw, paths } = await opened(look, async (path) => ({ ...picture, name: path, sha256: path }));
  expect(draw()).toContain("Up to 2 files (image/*)");
  await press("enter");
  await type("'/tmp/my shot.png'");
  expect(await press("enter")).toContain("/tmp/my shot.png (12 KB, image/png)");
  await press("down", "enter");
  await type("/tmp/b.png");
  expect(await press("enter")).not.toContain("The path of a file");
  expect(paths).toEqual(["/tmp/my shot.png", "/tmp/b.png"]);
  await press("enter");
  await expect.poll(outcome).toMatchObject({ kind: "answered", answers: [{ values: ["/tmp/my shot.png", "/tmp/b.png"] }] });
});

test("a file that can't be attached is refused with a sentence, and its path can be corrected", async () => {
  const { press, type, draw, app } = await opened(look, async (path) => {
    if (path === "/tmp/a.txt") return { ...picture, name: "a.txt", mimeType: "text/plain" };
    throw new AskboxError("VALIDATION", `${path} is not a file.`);
  });
  await press("enter");
  await type("/tmp");
  expect(await press("enter")).toContain("Not attached: /tmp is not a file.");
  expect(app.ui.editing?.buffer.text).toBe("/tmp");
  await type("/a.txt");
  expect(await press("enter")).toContain('"a.txt" is of type text/plain');
  expect(draw()).not.toContain("12 KB");
});

const aName = {
  questions: name,
  keys: ["escape"],
  text: "Lathe",
  send: "ctrl+s",
  part: { answers: [{ values: ["Lathe"], files: [{ name: "shot.png" }] }] },
};
const aReview = {
  questions: [one, two] as [Question, Question],
  keys: ["alt+s", "alt+s"],
  text: "",
  send: "enter",
  part: { files: [{ name: "shot.png" }] },
};
const refused = new AskboxError("VALIDATION", "There is no file shot.png.");

test.each([
  ["an answer waits for its file, and is sent once that is attached", aName, undefined],
  ["an answer waits for its file, and isn't sent if that is refused", aName, refused],
  ["answers wait for the file of their comment, and are sent once that is attached", aReview, undefined],
  ["answers wait for the file of their comment, and aren't sent if that is refused", aReview, refused],
])("%s", async (_title, { questions, keys, text, send, part }, refusal) => {
  const uploaded = Promise.withResolvers<typeof picture>();
  const { press, type, outcome, draw } = await opened(questions, () => uploaded.promise);
  await type(text);
  await press(...keys, "F");
  await type("shot.png");
  await press("enter");
  expect(await press(send)).toContain("Sends once the file is attached");
  expect(await outcome()).toBeUndefined();
  if (refusal === undefined) {
    uploaded.resolve(picture);
    return await expect.poll(outcome).toMatchObject({ kind: "answered", ...part });
  }
  uploaded.reject(refusal);
  await expect.poll(draw).toContain("Not attached: There is no file shot.png.");
  expect(await outcome()).toBeUndefined();
});

test("files that another device attached to the comment are shown before they are sent", async () => {
  const { press, type, outcome, draw, saveDraft } = await opened(name, async () => picture);
  await saveDraft({ files: [picture] });
  expect(draw()).toMatch(/Comment\n.*\n.*shot\.png \(12 KB, image\/png\)/);
  await type("Lathe");
  await press("ctrl+s");
  await expect.poll(outcome).toMatchObject({ kind: "answered", files: [{ name: "shot.png" }] });
});

test("in the review, F attaches files to the comment, and delete removes them; the cursor stays on Send", async () => {
  const { press, type, outcome, draw, app, saveDraft } = await opened([one, two], async (path) => {
    if (path === "/tmp") throw new AskboxError("VALIDATION", "/tmp is not a file.");
    return { ...picture, name: path, sha256: `${path.length}`.padStart(64, "0") };
  });
  expect(await press("alt+s", "alt+s")).not.toContain("Comment");
  expect(await press("F")).toMatch(/Comment\n.*A comment for the agent.*\n.*The path of a file; tab completes it/);
  await type("/tmp");
  expect(await press("enter")).toContain("Not attached: /tmp is not a file.");
  await type("/a.png");
  expect(await press("enter")).toMatch(/A comment for the agent.*\n.*\/tmp\/a\.png \(12 KB, image\/png\)/);
  await press("F");
  await type("/tmp/copied.png");
  expect(await press("enter")).toMatch(/a\.png.*\n.*copied\.png[^›]*› \[ Send \]/s);
  await app.form()?.flush();
  const kept = (app.form()?.getState().files ?? []).slice(0, 1);
  kept.push({ ...picture, name: "elsewhere.png" });
  await saveDraft({ files: [...kept, { ...picture, name: "more.png", sha256: "b".repeat(64) }] });
  expect(draw()).toMatch(/a\.png.*\n.*elsewhere\.png.*\n.*more\.png[^›]*› \[ Send \]/);
  await saveDraft({ files: kept });
  expect(draw()).toMatch(/elsewhere\.png[^›]*› \[ Send \]/);
  expect(await press("up", "delete")).toContain("Removed elsewhere.png.");
  expect(draw()).toMatch(/a\.png[^›]*› \[ Send \]/);
  await press("enter");
  await expect.poll(outcome).toMatchObject({ kind: "answered", files: [{ name: "/tmp/a.png" }] });
});

test("the comment takes 20 files, also if several are uploaded at once, and none if no answer takes any", async () => {
  const uploaded = Promise.withResolvers<void>();
  const { press, type, app, draw, saveDraft } = await opened([one, two], async (path) => {
    await uploaded.promise;
    return { ...picture, name: path, sha256: path };
  });
  await saveDraft({ files: Array.from({ length: 19 }, (_, at) => ({ ...picture, sha256: `${at}`.padStart(64, "0") })) });
  await press("alt+s", "alt+s");
  for (const path of ["/tmp/a", "/tmp/b"]) {
    await press("F");
    await type(path);
    await press("enter");
  }
  uploaded.resolve();
  await expect.poll(draw).toContain("Not attached: 20 files are the most; remove one first.");
  expect(
    app
      .form()
      ?.getState()
      .files?.map(({ name: each }) => each)
      .slice(18),
  ).toEqual(["shot.png", "/tmp/a"]);
  await press("escape");
  expect(await press("F")).toContain("20 files are the most; remove one first.");
  const other = await opened([decision, { ...decision, id: "again" }], async () => picture);
  await other.press("tab", "tab");
  expect(await other.press("F")).toContain("No file can be attached to these answers.");
});

test("F attaches a file to any answer, and delete removes it", async () => {
  const { press, type, app } = await opened(name, async () => picture);
  await press("escape", "F");
  await type("shot.png");
  expect(await press("enter")).toContain("shot.png (12 KB, image/png)");
  expect(app.ui.notice?.text).toBe("Attached shot.png (12 KB).");
  await press("down");
  expect(await press("delete")).not.toContain("12 KB, image/png");
  expect(app.ui.notice?.text).toBe("Removed shot.png.");
});

test("a message to the agent takes files by the same field, shows them and sends them", async () => {
  const { press, type, thread, draw, paths } = await opened(name, async (path) => {
    if (path === "/tmp") throw new AskboxError("VALIDATION", "/tmp is not a file.");
    return { ...picture, name: path, sha256: path };
  });
  await press("alt+i");
  await type("Like this?");
  expect(await press("ctrl+o")).toContain("The path of a file; tab completes it");
  await type("/tmp");
  expect(await press("enter")).toContain("Not attached: /tmp is not a file.");
  await type("/my\\ shot.png");
  expect(await press("enter")).toContain("Attached /tmp/my shot.png (12 KB).");
  expect(draw()).toMatch(/Like this\?\s+.*\/tmp\/my shot\.png \(12 KB, image\/png\)/);
  expect(await press("escape", "alt+i")).toContain("/tmp/my shot.png (12 KB");
  await press("enter");
  await expect.poll(thread).toMatchObject([{ text: "Like this?", files: [{ name: "/tmp/my shot.png" }] }]);
  expect(paths).toEqual(["/tmp", "/tmp/my shot.png"]);
  expect(await press("alt+i")).not.toContain("my shot.png (12 KB, image/png)");
});

test("a refused path doesn't get in the way of a message that goes on", async () => {
  const uploaded = Promise.withResolvers<typeof picture>();
  const { press, type, app, draw } = await opened(name, () => uploaded.promise);
  await press("alt+i", "ctrl+o");
  await type("/tmp");
  await press("enter");
  await type("So");
  uploaded.reject(new AskboxError("VALIDATION", "/tmp is not a file."));
  await expect.poll(draw).toContain("Not attached: /tmp is not a file.");
  expect(app.ui.editing).toMatchObject({ target: { kind: "message" }, buffer: { text: "So" } });
});

test("files that are dropped on a message are attached; other text is pasted", async () => {
  const { press, type, app, paths, draw } = await opened(name, async (path) => ({ ...picture, name: path, sha256: path }));
  app.options.host.droppedFiles = async (text) => (text.startsWith("/tmp/") ? text.trim().split(" ") : []);
  await press("alt+i");
  await type("See ");
  await type("/tmp/a.png /tmp/b.log ");
  expect(paths).toEqual(["/tmp/a.png", "/tmp/b.log"]);
  expect(app.ui.editing?.buffer.text).toBe("See ");
  for (const path of paths) expect(draw()).toContain(`${path} (12 KB, image/png)`);
});

test.each([
  [120, 20, 4],
  [40, 12, 2],
])("of many files, those around the cursor are shown: %d × %d", async (columns, rows, most) => {
  const { press, app, frame } = await opened(name, async (path) => ({ ...picture, name: path, sha256: path }));
  app.options.host.droppedFiles = async (text) => text.split(" ");
  await press("alt+i");
  app.handlePaste([1, 2, 3, 4, 5].map((number) => `/tmp/${number}.png`).join(" "));
  const shown = () => {
    const { lines } = frame.at({ columns, rows, plain: false });
    expect(lines).toHaveLength(rows);
    // Without the notice.
    const text = lines.slice(0, -1).map(stripVTControlCharacters);
    return text.filter((row) => /5 files|\d\.png/.test(row)).map((row) => row.match(/5 files|\d\.png/)?.[0]);
  };
  await expect.poll(shown).toEqual(["5 files", "3.png", "4.png", "5.png"].toSpliced(1, 4 - most));
  await press("down");
  expect(shown()).toEqual(["5 files", "1.png", "2.png", "3.png"].slice(0, most));
});

test.each([
  ["/tmp/a.png", "/tmp/a.png"],
  [" '/tmp/a b.png' ", "/tmp/a b.png"],
  ['"/tmp/a b.png"', "/tmp/a b.png"],
  ["/tmp/a\\ b\\(1\\).png", "/tmp/a b(1).png"],
  ["file:///tmp/a%20b.png", "/tmp/a b.png"],
  ["file://other/x%", "file://other/x%"],
])("%s is read as the path %s", (typed, path) => {
  expect(readPath(typed, "linux")).toBe(path);
});

test("a path is completed as far as it is certain", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "askbox-paths-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "shots"));
  for (const file of ["shots/login one.png", "shots/login-two.png", ".hidden", "notes.md"]) writeFileSync(join(cwd, file), "");
  const complete = (text: string) => completePath(text, { cwd, home: cwd, platform: "linux" });
  expect(await complete("sh")).toEqual({ text: "shots/", matches: ["shots/"] });
  expect(await complete("shots/")).toEqual({ text: "shots/login", matches: ["login one.png", "login-two.png"] });
  expect(await complete("shots/login\\ o")).toEqual({ text: "shots/login one.png", matches: ["login one.png"] });
  expect(await complete("~/n")).toEqual({ text: "~/notes.md", matches: ["notes.md"] });
  expect(await complete("")).toEqual({ text: "", matches: ["notes.md", "shots/"] });
  expect(await complete(".h")).toEqual({ text: ".hidden", matches: [".hidden"] });
  expect(await complete("x")).toEqual({ text: "x", matches: [] });
  expect(await complete("no/where")).toEqual({ text: "no/where", matches: [] });
});

test("a paste is read as files if it is nothing but the absolute paths of some", async () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-dropped-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const file of ["a b.png", "c.log"]) writeFileSync(join(home, file), "");
  const dropped = (text: string) => droppedFiles(text, { home, platform: "linux" });
  for (const path of [`${home}/a b.png`, `'${home}/a b.png' `, `${home}/a\\ b.png`, `file://${home}/a%20b.png`, "~/c.log"])
    expect(await dropped(path)).toEqual([path.trim()]);
  expect(await dropped(`'${home}/a b.png' ${home}/a\\ b.png\n${home}/c.log`)).toEqual([
    `'${home}/a b.png'`,
    `${home}/a\\ b.png`,
    `${home}/c.log`,
  ]);
  const texts = ["", "c.log", home, `${home}/none`, `${home}/c.log is empty`, `See ${home}/c.log`, `${home}/c.log `.repeat(21)];
  for (const text of texts) expect(await dropped(text), text).toEqual([]);
});
