import type { AnswerFile } from "@askbox/core/questions";
import { expect, test } from "vitest";
import { dialectNames } from "../src/dialects/index.ts";
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

async function answered(count: number, source: FileSource | undefined = files) {
  const inbox = await connected({ files: source });
  await inbox.connect();
  const asking = inbox.client.callTool({ name: "ask_user", arguments: { questions } });
  await expect.poll(async () => (await inbox.desk.list()).items.length).toBe(1);
  const [session] = (await inbox.desk.list()).items;
  const id = session?.id ?? "";
  const attached = Array.from({ length: count }, (_, index) => file(index + 1));
  await inbox.desk.answer(id, { answers: [{ questionId: "a", values: ["Two"], files: attached }] });
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

test("an answer comes without paths if its files can't be written", async () => {
  const place = () => Promise.reject(new Error("The disk is full."));
  const { result, logged } = await answered(1, { ...files, place });
  expect(result.structuredContent).toMatchObject({ answered: true, answers: [{ files: [file(1)] }] });
  expect(logged.map(({ message }) => message)).toContain("The files of an answer could not be written for the agent");
});

test.each(dialectNames)("%s names files in its text", async (name) => {
  const { speech } = (await import("../src/dialects/index.ts")).dialectOf(name);
  const { withFileLines } = await import("../src/calls/attached.ts");
  const result = {
    answered: true,
    cancelled: false,
    timedOut: false,
    sessionId: "s1",
    answers: [{ questionId: "a", values: ["x"], files: [file(1)] }],
  };
  const told = withFileLines({ server: { files } } as never, (await speech()).write(result, undefined), { result });
  const texts = told.content as { text: string }[];
  expect(texts.at(-1)?.text).toContain("- with a: shot-1.png (image/png, 1000 bytes");
});
