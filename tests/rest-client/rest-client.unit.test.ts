import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createBroker, memoryStore, silentLog } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

/** `program/bot.ts`, with its generated types. */
interface Bot {
  ask(question: string): Promise<{ id?: string }>;
  answer(id: string, body: object): Promise<object>;
  reply(id: string, body: object): Promise<object>;
  outcome(id: string): Promise<object>;
}

/** A hub without a network: requests are passed to it, as by a host that mounts it. */
async function openHub(limits: { asksPerMinute?: number } = {}) {
  const platform = testPlatform();
  const store = memoryStore();
  const broker = await createBroker({ ...platform, store, log: silentLog });
  const tokens = { asker: createToken(), desk: createToken(), chat: createToken() };
  const hub = createHub({
    broker,
    platform,
    limits,
    tokens: tokenVerifier([
      { hash: hashToken(tokens.asker), access: { owner: "one", scopes: ["asker"] } },
      { hash: hashToken(tokens.desk), access: { owner: "desk", scopes: ["desk"] } },
      { hash: hashToken(tokens.chat), access: { owner: "chat", name: "chat", scopes: ["desk"], onBehalf: true } },
    ]),
  });
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  return { tokens, clock: platform.clock, fetch: async (request: Request) => await hub.fetch(request) };
}

let folder: string;
let document: string;
let made: { bot(options: { fetch(request: Request): Promise<Response>; token: string }): Bot };
let mistakes: string[];

beforeAll(async () => {
  // Where the program finds openapi-fetch, and no tool treats it as a source.
  const modules = join(import.meta.dirname, "node_modules");
  await mkdir(modules, { recursive: true });
  folder = await mkdtemp(join(modules, ".made-"));
  const platform = testPlatform();
  const broker = await createBroker({ ...platform, store: memoryStore(), log: silentLog });
  const hub = createHub({ broker, platform, tokens: tokenVerifier([]) });
  document = await (await hub.fetch(new Request("http://127.0.0.1/openapi.json"))).text();
  await hub.close();
  await broker.close();
  const types = await openapiTypescript(JSON.parse(document), { defaultNonNullable: false });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "schema.ts"), astToString(types));
  const source = join(folder, "bot.ts");
  await copyFile(join(import.meta.dirname, "program/bot.ts"), source);
  const program = ts.createProgram([source], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  mistakes = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  program.emit();
  made = await import(/* @vite-ignore */ pathToFileURL(join(folder, "bot.js")).href);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("redocly finds no error in the OpenAPI document", async () => {
  const problems = await lintFromString({ source: document, config: await createConfig({ extends: ["recommended"] }) });
  expect(problems.filter(({ severity }) => severity === "error").map(({ message, location }) => [message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("a generated client compiles strictly", () => {
  expect(mistakes).toEqual([]);
});

const blue = { answers: [{ questionId: "q", values: ["blue"] }] };

test("a generated client asks, answers for a named person, and reads conflicts, late replies and every error", async () => {
  const { tokens, clock, fetch } = await openHub();
  const [asker, desk, chat] = [tokens.asker, tokens.desk, tokens.chat].map((token) => made.bot({ fetch, token })) as [Bot, Bot, Bot];
  const { id = "", ...asked } = await asker.ask("Which colour?");
  expect(asked).toMatchObject({ status: 201, isPending: true });
  expect(await chat.answer(id, { answers: [{ questionId: "q", values: ["red"] }] })).toMatchObject({
    status: 422,
    code: "INVALID_ANSWER",
    issues: [{ questionId: "q", message: expect.any(String) }],
  });
  expect(await desk.answer(id, { ...blue, by: { name: "Ada" } })).toMatchObject({ status: 403, code: "FORBIDDEN" });
  expect(await chat.answer(id, { ...blue, by: { name: "Ada" } })).toMatchObject({ status: 200, by: "Ada" });
  expect(await desk.answer(id, blue)).toMatchObject({ status: 409, code: "SESSION_CLOSED", stands: "answered" });
  expect(await asker.outcome(id)).toMatchObject({ status: 200, state: "answered", answers: [{ questionId: "q", values: ["blue"] }] });

  const { id: second = "" } = await asker.ask("And now?");
  await clock.advance(60_000);
  expect(await asker.outcome(second)).toMatchObject({ status: 200, state: "timed_out" });
  expect(await desk.reply(second, blue)).toMatchObject({ status: 200, late: [{ questionId: "q", values: ["blue"] }] });
  expect(await made.bot({ fetch, token: createToken() }).outcome(id)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
});

test("a generated client reads Retry-After when it has asked too often", async () => {
  const { tokens, fetch } = await openHub({ asksPerMinute: 1 });
  const asker = made.bot({ fetch, token: tokens.asker });
  expect(await asker.ask("First?")).toMatchObject({ status: 201 });
  expect(await asker.ask("Second?")).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfter: 60 });
});
