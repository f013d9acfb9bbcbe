import type { AnswerFile } from "@askbox/core/questions";
import { expect, test } from "vitest";
import { type DialectName, dialectNames } from "../src/dialects/index.ts";
import type { FileSource } from "../src/index.ts";
import { connected, turns } from "./connected.ts";

const questions = [{ id: "a", question: "Which design?", options: ["One", "Two"], type: "select" }];
const file = (number: number): AnswerFile => ({
  name: `shot-${number}.png`,
  mimeType: "image/png",
  size: 1_000 * number,
  sha256: String(number).repeat(64).slice(0, 64),
});

/** Files that are all pictures but the second. */
const files: FileSource = {
  picture: async (_session, { name }) => (name === "shot-2.png" ? "It is too large." : { data: Buffer.from(name), mimeType: "image/png" }),
};

interface Asked {
  tool?: DialectName;
  args?: Record<string, unknown>;
  values?: string[];
  attached?: AnswerFile[];
  /** With the comment. */
  said?: AnswerFile[];
}

async function answered(
  count: number,
  source: FileSource | undefined = files,
  {
    tool = "ask_user",
    args = { questions },
    values = ["Two"],
    attached = Array.from({ length: count }, (_, index) => file(index + 1)),
    said,
  }: Asked = {},
) {
  const inbox = await connected({ files: source, tools: [tool] });
  await inbox.connect();
  const asking = inbox.client.callTool({ name: tool, arguments: args });
  await expect.poll(async () => (await inbox.desk.list()).items.length).toBe(1);
  const [session] = (await inbox.desk.list()).items;
  const id = session?.id ?? "";
  await inbox.desk.answer(id, { answers: [{ questionId: session?.questions[0]?.id ?? "", values, files: attached }], files: said });
  return { ...inbox, id, result: await asking, attached };
}

test("pictures come as images in pages, without structured content, each file with a line", async () => {
  const { client, id } = await answered(6);
  const first = await client.callTool({ name: "get_files", arguments: { sessionId: id } });
  expect(first.structuredContent).toBeUndefined();
  const [text, ...images] = first.content as { text: string; data: string; type: string }[];
  expect(text?.text.split("\n").slice(0, 3)).toEqual([
    "Files 1 to 5 of 6, pictures in this order. Call get_files with page 2 for more.",
    `1. shot-1.png (image/png, 1000 bytes, sha256 ${"1".repeat(64)})`,
    `2. shot-2.png (image/png, 2000 bytes, sha256 ${"2".repeat(64)}): It is too large.`,
  ]);
  const names = images.map(({ data, type }) => [type, Buffer.from(data, "base64").toString()]);
  expect(names).toEqual([1, 3, 4, 5].map((number) => ["image", `shot-${number}.png`]));
  const second = await client.callTool({ name: "get_files", arguments: { sessionId: id, page: 2 } });
  expect((second.content as { text?: string }[])[0]?.text).toMatch(/^Files 6 to 6 of 6, pictures in this order\.\n6\. shot-6\.png/);
});

test("what is no picture, such as a PDF, has its line with the reason", async () => {
  const plan: AnswerFile = { ...file(1), name: "plan.pdf", mimeType: "application/pdf" };
  const source: FileSource = {
    picture: async (session, picture, options) =>
      picture.name === "plan.pdf" ? "It is not a picture that can be shown." : files.picture(session, picture, options),
  };
  const { client, id } = await answered(2, source, { attached: [plan, file(3)] });
  const { content } = await client.callTool({ name: "get_files", arguments: { sessionId: id } });
  const [text, ...images] = content as { text: string; type: string }[];
  expect(text?.text.split("\n").slice(1)).toEqual([
    `1. plan.pdf (application/pdf, 1000 bytes, sha256 ${plan.sha256}): It is not a picture that can be shown.`,
    `2. shot-3.png (image/png, 3000 bytes, sha256 ${"3".repeat(64)})`,
  ]);
  expect(images.map(({ type }) => type)).toEqual(["image"]);
});

test.each([
  [{}, "sessionId is required"],
  [{ sessionId: "x", page: 0 }, "page must be a whole number from 1 on"],
  [{ page: 3 }, "page must be at most 1"],
])("%j is refused: %s", async (args, sentence) => {
  const { client, id } = await answered(1);
  const result = await client.callTool({
    name: "get_files",
    arguments: "page" in args && !("sessionId" in args) ? { sessionId: id, ...args } : args,
  });
  expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining(sentence)]);
});

test("another's session has no files for this agent", async () => {
  const { client, broker, desk } = await answered(1);
  const theirs = broker
    .asker("another-token")
    .ask(
      { questions: [{ id: "b", type: "text", question: "Theirs?", required: true }], timeout: 60_000 },
      { asker: { client: { name: "x" } } },
    );
  theirs.catch(() => {});
  await turns(5);
  const [pending] = (await desk.list({ statuses: ["pending"] })).items;
  const id = pending?.id ?? "";
  await desk.answer(id, { answers: [{ questionId: "b", values: ["no"], files: [file(1)] }] });
  const result = await client.callTool({ name: "get_files", arguments: { sessionId: id } });
  expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.not.stringContaining("shot")]);
});

test("a result names the files and where they are, in the structure and in a line each", async () => {
  const place: FileSource["place"] = async (_session, all) => ({
    paths: new Map(all.map(({ sha256, name }) => [sha256, `/project/.askbox/files/${name}`])),
    remark: "Git ignores these paths.",
  });
  const { result, id, attached } = await answered(2, { ...files, place });
  const path = "/project/.askbox/files/shot-1.png";
  expect(result.structuredContent).toMatchObject({ answers: [{ values: ["Two"], files: [{ ...attached[0], path }, attached[1]] }] });
  const texts = result.content as { text: string }[];
  expect(JSON.parse(texts[0]?.text ?? "").answers[0].files[0]).toEqual({ ...attached[0], path });
  expect(texts.at(-1)?.text.split("\n")).toEqual([
    `Files from the person (sessionId ${id}):`,
    `- with a: shot-1.png (image/png, 1000 bytes, sha256 ${"1".repeat(64)}) at ${path}`,
    expect.stringContaining("shot-2.png"),
    "Git ignores these paths.",
    "To see pictures, call get_files with that sessionId.",
  ]);
});

test("files of what a person asks back have lines and paths too, and get_files shows them", async () => {
  const place = async () => ({ paths: new Map([[file(1).sha256, "/project/.askbox/files/1-shot-1.png"]]) });
  const inbox = await connected({ files: { ...files, place } });
  await inbox.connect();
  const asking = inbox.client.callTool({ name: "ask_user", arguments: { questions } });
  await expect.poll(async () => (await inbox.desk.list()).items.length).toBe(1);
  const id = (await inbox.desk.list()).items[0]?.id ?? "";
  await inbox.desk.askBack(id, { text: "Do you mean this?", files: [file(1)] });
  const result = await asking;
  const path = "/project/.askbox/files/1-shot-1.png";
  expect(result.structuredContent).toMatchObject({ askedBack: [{ text: "Do you mean this?", files: [{ ...file(1), path }] }] });
  expect((result.content as { text: string }[]).at(-1)?.text.split("\n")).toEqual([
    `Files from the person (sessionId ${id}):`,
    `- with what was asked back: shot-1.png (image/png, 1000 bytes, sha256 ${"1".repeat(64)}) at ${path}`,
    "To see pictures, call get_files with that sessionId.",
  ]);
  const shown = await inbox.client.callTool({ name: "get_files", arguments: { sessionId: id } });
  expect((shown.content as { type: string }[]).map(({ type }) => type)).toEqual(["text", "image"]);
});

test("files of the comment on all answers have a path, a line and a picture, after those of the answers", async () => {
  const place: FileSource["place"] = async (_session, all) => ({ paths: new Map(all.map(({ sha256, name }) => [sha256, `/p/${name}`])) });
  const { client, id, result } = await answered(1, { ...files, place }, { said: [file(3)] });
  expect(result.structuredContent).toMatchObject({ answers: [{ files: [{ path: "/p/shot-1.png" }] }], files: [{ path: "/p/shot-3.png" }] });
  expect((result.content as { text: string }[]).at(-1)?.text.split("\n").slice(1)).toEqual([
    expect.stringMatching(/^- with a: shot-1\.png .* at \/p\/shot-1\.png$/),
    expect.stringMatching(/^- with the comment: shot-3\.png .* at \/p\/shot-3\.png$/),
    "To see pictures, call get_files with that sessionId.",
  ]);
  const shown = await client.callTool({ name: "get_files", arguments: { sessionId: id } });
  expect((shown.content as { data?: string }[]).slice(1).map(({ data = "" }) => Buffer.from(data, "base64").toString())).toEqual([
    "shot-1.png",
    "shot-3.png",
  ]);
});

test("an answer comes without paths if its files can't be written", async () => {
  const place = () => Promise.reject(new Error("The disk is full."));
  const { result, logged } = await answered(1, { ...files, place });
  expect(result.structuredContent).toMatchObject({ answered: true, answers: [{ files: [file(1)] }] });
  expect(logged.map(({ message }) => message)).toContain("The files of an answer could not be written for the agent");
});

test.each(dialectNames)("%s names files in its text", async (name) => {
  const { codec } = (await import("../src/dialects/index.ts")).dialectOf(name);
  const { withFileLines } = await import("../src/calls/attached.ts");
  const result = {
    answered: true,
    cancelled: false,
    timedOut: false,
    sessionId: "s1",
    answers: [{ questionId: "a", values: ["x"], files: [file(1)] }],
  };
  const told = withFileLines({ server: { files } } as never, (await codec()).write(result, undefined), { result });
  const texts = told.content as { text: string }[];
  expect(texts.at(-1)?.text).toContain("- with a: shot-1.png (image/png, 1000 bytes");
});

type Block = { type: string; text?: string; data?: string };
const shots = (blocks: readonly Block[]) =>
  blocks.map(({ type, data, text }) => (type === "image" ? Buffer.from(data ?? "", "base64").toString() : (text ?? "")));

test("mcp-feedback-enhanced's pictures follow the text, which is one block with a line for each file", async () => {
  const asked = { tool: "interactive_feedback", args: { summary: "Done?", timeout: 60 }, values: ["See."] } as const;
  const { result, id } = await answered(3, files, { ...asked, values: [...asked.values] });
  expect(result.structuredContent).toBeUndefined();
  const [text, ...pictures] = shots(result.content as Block[]);
  expect(pictures).toEqual(["shot-1.png", "shot-3.png"]);
  expect(text?.split("\n").slice(0, 5)).toEqual([
    "=== 用戶回饋 ===",
    "See.",
    "",
    `Files from the person (sessionId ${id}):`,
    `- with summary: shot-1.png (image/png, 1000 bytes, sha256 ${"1".repeat(64)})`,
  ]);
  // The second of them isn't a picture, which get_files says.
  expect(text).toMatch(/To see pictures, call get_files with that sessionId\.$/);
});

test("zhi's pictures come before the text, and get_files isn't needed where all are shown", async () => {
  const isPicture: FileSource = { picture: async (_session, { name }) => ({ data: Buffer.from(name), mimeType: "image/png" }) };
  const { result } = await answered(2, isPicture, { tool: "zhi", args: { message: "Done?" }, values: ["See."] });
  const [first, second, text, ...more] = shots(result.content as Block[]);
  expect([first, second, more]).toEqual(["shot-1.png", "shot-2.png", []]);
  expect(text).toMatch(/^See\.\n\nFiles from the person/);
  expect(text).not.toContain("get_files");
});

test("at most five pictures come with a result, and the rest with get_files", async () => {
  const isPicture: FileSource = { picture: async (_session, { name }) => ({ data: Buffer.from(name), mimeType: "image/png" }) };
  const { result } = await answered(6, isPicture, { tool: "zhi", args: { message: "Done?" }, values: ["See."] });
  expect((result.content as Block[]).filter(({ type }) => type === "image")).toHaveLength(5);
  expect(shots(result.content as Block[]).at(-1)).toContain("call get_files");
});

test("an answer comes without its pictures if they can't be read", async () => {
  const broken: FileSource = { picture: () => Promise.reject(new Error("The hub is gone.")) };
  const { result, logged } = await answered(1, broken, { tool: "zhi", args: { message: "Done?" }, values: ["See."] });
  expect(shots(result.content as Block[])).toEqual(["See.", expect.stringContaining("shot-1.png")]);
  expect(logged.map(({ message }) => message)).toContain("The pictures of an answer could not be shown with it");
});

test.each(["interactive_feedback", "request_user_input", "ask_human"] as const)(
  "%s has no pictures in its contract, so that get_files shows them",
  async (tool) => {
    const args = {
      interactive_feedback: { project_directory: "/p", summary: "Done?" },
      request_user_input: { projectName: "p", message: "Done?" },
      ask_human: { question: "Done?", agent_id: "a" },
    }[tool];
    const { result } = await answered(1, files, { tool, args, values: ["See."] });
    const blocks = result.content as Block[];
    expect([blocks.every(({ type }) => type === "text"), blocks.at(-1)?.text]).toEqual([true, expect.stringContaining("call get_files")]);
  },
);

test("seamless-agent's attachments are the files' addresses, as far as they are where the agent can read them", async () => {
  const place: FileSource["place"] = async (_session, all) => ({
    paths: new Map(all.slice(0, 1).map(({ sha256 }) => [sha256, "/my project/.askbox/files/a#1.png"])),
  });
  const { result } = await answered(2, { ...files, place }, { args: { question: "Done?" }, values: [] });
  const told = { responded: true, response: "", attachments: ["file:///my%20project/.askbox/files/a%231.png"] };
  expect(JSON.parse((result.content as Block[])[0]?.text ?? "")).toEqual(told);
  expect(result.structuredContent).toMatchObject({ answered: true, ...told });
});
