import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Desk } from "@askbox/core";
import { findHub, homeFolders, readHubFile, uploadFile } from "@askbox/home";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { png } from "../setup/png.ts";
import { until } from "../support/until.ts";
import { programs, type RealClient, realClients } from "./support/clients.ts";
import { startModel, type ToolCall } from "./support/model.ts";

/** A call in a server's own fields, a person's answer to it, and what the model is told. */
interface Contract {
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  answer: Partial<Answer> & Pick<Answer, "values">;
  told(sessionId: string): string;
  /** Where the result has the picture, which otherwise comes with `get_files`. */
  shown?: "before" | "after";
  /** What a client that doesn't make the call tells its model. */
  refused?: Partial<Record<RealClient["name"], string>>;
}

const plan = "# Move the shop\n\n1. Copy the data.\n2. Drop the old one.";
const contracts: readonly Contract[] = [
  {
    server: "askbox",
    tool: "ask_user",
    answer: { values: ["Right"] },
    told: () => '"values":["Right"]',
    arguments: { questions: [{ question: "Which way?", type: "select", options: [{ label: "Left" }, { label: "Right" }] }] },
  },
  {
    server: "interactive-feedback-mcp",
    tool: "interactive_feedback",
    answer: { values: ["Not yet.\nSo."] },
    arguments: { project_directory: "/home/me/shop", summary: "Is it done?" },
    told: () => JSON.stringify({ logs: "", interactive_feedback: "Not yet.\nSo." }, undefined, 2),
  },
  {
    server: "its fork",
    tool: "interactive_feedback",
    answer: { values: ["Red", "Blue"], customText: "not Green" },
    arguments: { message: "Which?", predefined_options: ["Red", "Green", "Blue"] },
    told: () => JSON.stringify({ interactive_feedback: "Red; Blue\n\nnot Green" }, undefined, 2),
  },
  {
    server: "mcp-feedback-enhanced",
    tool: "interactive_feedback",
    answer: { values: ["Almost."] },
    shown: "after",
    arguments: { project_directory: "/home/me/shop", summary: "It is done.\nIs it good?", timeout: 600 },
    told: () => "=== 用戶回饋 ===\nAlmost.",
  },
  {
    server: "cunzhi",
    tool: "zhi",
    answer: { values: ["Red", "Blue"], customText: "not Green" },
    shown: "before",
    arguments: { message: "Which?", predefined_options: ["Red", "Green", "Blue"], is_markdown: true },
    told: () => "选择的选项: Red, Blue\n\nnot Green",
  },
  {
    server: "interactive-mcp",
    tool: "request_user_input",
    answer: { values: ["Red"] },
    arguments: { projectName: "Shop", message: "Which?", predefinedOptions: ["Red", "Blue"] },
    told: () => "User replied: Red",
  },
  {
    server: "seamless-agent",
    tool: "ask_user",
    answer: { values: ["Koa"] },
    arguments: { question: "Which?", title: "Framework", agentName: "Builder", options: [{ label: "Koa" }, { label: "Hono" }] },
    told: () => '"responded":true,"response":"Koa"',
    // It checks calls against the schema, which is that of askbox's own fields.
    refused: { "gemini-cli": "params must have required property 'questions'" },
  },
  ...[
    {
      tool: "plan_review",
      answer: { values: ["request_changes"], comments: [{ line: 4, text: "Keep it." }] },
      status: "recreateWithChanges",
    },
    { tool: "walkthrough_review", answer: { values: ["approve"] }, status: "acknowledged" },
  ].map(
    ({ tool, answer, status }): Contract => ({
      server: "seamless-agent",
      tool,
      answer,
      arguments: { plan, title: "The shop", chatId: "c1" },
      told: (reviewId) => {
        const part = { revisedPart: "2. Drop the old one.", revisorInstructions: "Keep it." };
        return JSON.stringify({ status, requiredRevisions: "comments" in answer ? [part] : [], reviewId });
      },
    }),
  ),
];

/** Shows the files of the answer that the model was told last. */
const getFiles: ToolCall = {
  tool: "get_files",
  arguments: (told) => ({ sessionId: [...told.join().matchAll(/sessionId\W+([0-9a-z]{26})\b/g)].at(-1)?.[1] ?? "" }),
};

let home: Home;
let folder: string;
let desk: Desk;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
  desk = (await connectDesk(home)).desk;
});
afterEach(() => home.close());

/** Answers the question with a picture of its own size; returns the session's id and the picture. */
async function answerWithPicture({ tool, answer }: Contract, number: number) {
  const pending = async () => (await desk.list({ statuses: ["pending"] })).items[0];
  const { id: sessionId, questions } = await until(`${tool} asks`, pending);
  const path = join(home.path, `shot-${number}.png`);
  const bytes = png(number + 1, 1, 0);
  writeFileSync(path, bytes);
  const hub = await findHub({ role: "desk", start: false, env: { ASKBOX_HOME: home.path } });
  const uploaded = await uploadFile(hub, { sessionId, path, upload: crypto.randomUUID() });
  const file = { name: `shot-${number}.png`, ...uploaded };
  await desk.answer(sessionId, { answers: [{ ...answer, questionId: questions[0]?.id ?? "", files: [file] }] });
  return { sessionId, file, bytes };
}

/** How a client gives its model a picture, and whether that stands where the result has it, rather than after its text; absent for one that leaves pictures out. */
const pictures: Partial<Record<RealClient["name"], { block(data: string): string; isInPlace: boolean }>> = {
  "claude-code": {
    block: (data) => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"}}`,
    isInPlace: true,
  },
  codex: { block: (data) => `{"type":"input_image","image_url":"data:image/png;base64,${data}"`, isInPlace: true },
  opencode: { block: (data) => `{"type":"image_url","image_url":{"url":"data:image/png;base64,${data}"}}`, isInPlace: false },
  "gemini-cli": { block: (data) => `{"inlineData":{"data":"${data}","mimeType":"image/png"}}`, isInPlace: false },
};

const asking = realClients.filter(
  (client): client is RealClient & Required<Pick<RealClient, "ask">> => client.ask !== undefined && !client.onlyAsks,
);

describe.each(asking)("$name", (client) => {
  test.each(["stdio", "http"])("gives its model answers and pictures in the words of each feedback server, over %s", async (transport) => {
    const names = [...new Set(contracts.map(({ tool }) => client.renamed?.[tool] ?? tool))];
    const isMade = ({ refused }: Contract) => refused?.[client.name] === undefined;
    const script = contracts.flatMap((contract) => [contract, ...(isMade(contract) && contract.shown === undefined ? [getFiles] : [])]);
    const model = await startModel(script);
    client.configure(home, model);
    const flags = transport === "http" ? ["--http"] : [];
    expect(await home.spawn(["install", client.name, "--tools", names.join(), ...flags])).toMatchObject({ code: 0 });
    const token = readHubFile(homeFolders({ env: { ASKBOX_HOME: home.path } }))?.askerToken ?? "";
    const turn = client.ask(home, model, folder, transport === "http" ? { ASKBOX_TOKEN: token } : {});
    const made = contracts.filter(isMade);
    const answered = [];
    for (const [number, contract] of made.entries()) answered.push({ contract, ...(await answerWithPicture(contract, number)) });
    await turn.over;
    const { latest } = model;
    const placeOf = (text: string) => latest.indexOf(JSON.stringify(text).slice(1, -1));
    const picture = pictures[client.name];
    for (const { contract, sessionId, file, bytes } of answered) {
      const what = `${contract.tool} of ${contract.server}`;
      const told = placeOf(contract.told(sessionId));
      expect(told, what).toBeGreaterThan(-1);
      const data = bytes.toString("base64");
      expect(latest.split(data), `${what}: how often the picture comes`).toHaveLength(picture === undefined ? 1 : 2);
      if (picture !== undefined) {
        expect(latest.includes(picture.block(data)), `${what}: the picture is one`).toBe(true);
        expect(latest.indexOf(data) < told, `${what}: the picture is before the text`).toBe(
          contract.shown === "before" && picture.isInPlace,
        );
      }
      const path = `.askbox/files/${file.sha256.slice(0, 12)}-${file.name}`;
      expect(placeOf(transport === "stdio" ? join(folder, path) : path) >= 0, `${what}: the path`).toBe(transport === "stdio");
      if (transport === "stdio") expect(readFileSync(join(folder, path)), what).toEqual(bytes);
    }
    for (const { refused } of contracts.filter((contract) => !isMade(contract)))
      expect(placeOf(refused?.[client.name] ?? "")).toBeGreaterThan(-1);
  });
});
