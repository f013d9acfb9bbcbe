import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { SessionView } from "@askbox/core";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient } from "../mcp/harness/clients.ts";
import { answeredExamples, cancelledExample, generatedId } from "../requirements/contract.ts";
import { type AgentClient, fourFields } from "../requirements/requirement.ts";
import { until } from "../support/until.ts";

// The command as linked at the root after `pnpm build`: what a person types and what a client's settings contain.
const askbox = resolve(import.meta.dirname, "../../node_modules/.bin/askbox");
const run = promisify(execFile);

describe("an agent and a person in another terminal", () => {
  let home: string;
  let agent: AgentClient;
  const env = () => ({ PATH: process.env["PATH"] ?? "", HOME: home, ASKBOX_HOME: home, ASKBOX_ATTENTION: "none" });
  const person = async (...args: string[]) => (await run(askbox, args, { env: env(), cwd: home })).stdout;
  const pending = async () => JSON.parse(await person("list", "--json")) as SessionView[];

  /** The session that asks this, once it exists. */
  const asking = (question: string) =>
    until(`${question} is asked`, async () => (await pending()).find(({ questions }) => questions[0]?.question === question));

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "askbox-end-to-end-"));
    const server = { command: askbox, args: ["mcp"], env: env(), cwd: home, stderr: "ignore" as const };
    agent = await connectClient("SDK v2, 2026 era", "some-client", new StdioClientTransport(server));
  });
  afterAll(async () => {
    await agent.close();
    await run(askbox, ["hub", "stop"], { env: env() }).catch(() => {});
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test("the tools are listed", async () => {
    expect((await agent.listTools()).map(({ name }) => name)).toEqual(["ask_user", "get_answer", "get_files"]);
  });

  test.each(answeredExamples)("example $title is answered with `askbox answer`", async ({ input, values }) => {
    const call = agent.callTool("ask_user", input);
    const session = await asking(input.questions[0]?.question ?? "");
    const args =
      session.questions.length === 1
        ? (values[0] ?? [])
        : session.questions.flatMap(({ id }, index) => (values[index] ?? []).flatMap((value) => ["--set", `${id}=${value}`]));
    await person("answer", session.id.slice(0, 8), ...args);
    expect(fourFields(await call)).toEqual({
      answered: true,
      cancelled: false,
      timedOut: false,
      answers: values.map((value, index) => ({
        questionId: input.questions[index]?.id ?? expect.stringMatching(generatedId),
        values: value,
      })),
    });
  });

  test("example 5 is cancelled with `askbox cancel`", async () => {
    const call = agent.callTool("ask_user", cancelledExample);
    const { id } = await asking(cancelledExample.questions[0]?.question ?? "");
    await person("cancel", id, "--reason", "none for now");
    const result = await call;
    expect(fourFields(result)).toEqual({ answered: false, cancelled: true, timedOut: false, answers: [] });
    expect(result.structuredContent).toMatchObject({ reason: "none for now" });
  });
});
