import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, readHubFile } from "@askbox/home";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectDesk } from "../command/support/desk.ts";
import { type Home, openHome } from "../command/support/home.ts";
import { killProcess } from "../faults/support/processes.ts";
import { program } from "../setup/programs.ts";
import { until } from "../support/until.ts";
import { allTools, claudeCode, programs, type RealClient, realClients } from "./support/clients.ts";
import { type ScriptedModel, startModel } from "./support/model.ts";

/** Milliseconds. Kilo Code takes half a minute to start, and minutes on a busy machine. */
const starts = 240_000;

let home: Home;
let folder: string;
beforeEach(async () => {
  home = await openHome({ path: [programs] });
  folder = join(realpathSync(home.path), "engine");
  mkdirSync(folder);
});
afterEach(() => home.close());

const asking = realClients.filter((client): client is RealClient & Required<Pick<RealClient, "ask">> => client.ask !== undefined);
const askUser = (question: string) => ({
  tool: "ask_user",
  arguments: { questions: [{ question, type: "select", options: [{ label: "Left" }, { label: "Right" }] }] },
});

test.each(asking.filter(({ followsSettings }) => followsSettings))("$name is told what a person answers", async (client) => {
  const { desk } = await connectDesk(home);
  const model = await startModel(askUser("Which way?"));
  client.configure(home, model);
  expect(await home.spawn(["install", client.name])).toMatchObject({ code: 0 });
  const turn = client.ask(home, model, folder, {});
  const { id, questions } = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0], starts);
  await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Right"] }] });
  await turn.over;
  expect(model.results.join()).toContain("Right");
});

// The first session's server must not end when the entry of the second is written.
describe.each(asking.filter(({ followsSettings }) => !followsSettings))("$name", (client) => {
  test("gives a session's answer to no other session in the folder while the one that asked is open", async () => {
    const { desk } = await connectDesk(home);
    const pending = async (question: string) =>
      until(
        `it asks ${question}`,
        async () => (await desk.list({ statuses: ["pending"] })).items.find((session) => session.questions[0]?.question === question),
        starts,
      );
    const answer = async (question: string, value: string) => {
      const { id, questions } = await pending(question);
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: [value] }] });
    };
    const release = Promise.withResolvers<void>();
    // With its ticket, the first session goes on, and doesn't ask for its answer yet.
    const first = await startModel(askUser("Which way first?"), {
      hold: (told) => (told.length > 0 ? release.promise : Promise.resolve()),
    });
    const second = await startModel(askUser("Which way next?"));
    const begin = async (model: ScriptedModel, ...flags: string[]) => {
      client.configure(home, model);
      // The last model is the configured one; what it was started with is what a client goes on with.
      expect(await home.spawn(["install", client.name, ...flags])).toMatchObject({ code: 0 });
      return client.ask(home, model, folder, {});
    };
    const one = await begin(first, "--max-wait", "2");
    await until("the first session has a ticket", () => first.results.length > 0, starts);
    expect(first.results.join()).toContain("pending");
    await answer("Which way first?", "Left");
    expect((await home.spawn(["uninstall", client.name])).code).toBe(0);
    const two = await begin(second);
    await answer("Which way next?", "Right");
    await two.over;
    const shown = second.tools.filter((tool) => /(?:^|[_-])(?:ask_user|get_answer)$/.test(tool.function?.name ?? tool.name ?? ""));
    expect(shown).toHaveLength(2);
    expect(JSON.stringify(shown).length / 4, "tokens that the tools take").toBeLessThanOrEqual(1_330);
    expect(second.results.join()).toContain("Right");
    expect(second.results.join()).not.toContain("Left");
    release.resolve();
    await one.over;
  });
});

test.each(asking.filter(({ resumes }) => resumes))(
  "$name gets its answer over HTTP although the hub was away for seven seconds",
  async (client) => {
    await (await connectDesk(home)).close();
    const model = await startModel(askUser("Which way?"));
    client.configure(home, model);
    expect(await home.spawn(["install", client.name, "--http"])).toMatchObject({ code: 0 });
    const hub = () => readHubFile(homeFolders({ env: { ASKBOX_HOME: home.path } }));
    const turn = client.ask(home, model, folder, { ASKBOX_TOKEN: hub()?.askerToken ?? "" });
    const before = await connectDesk(home);
    const only = async ({ desk }: typeof before) => (await desk.list({ statuses: ["pending"] })).items[0];
    const { id, questions } = await until("it asks", () => only(before));
    before.close();
    killProcess(hub()?.pid ?? 0);
    const killed = performance.now();
    await until("the hub was away for long enough", async () => performance.now() - killed > 7_000);
    const { desk } = await connectDesk(home);
    await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Right"] }] });
    await turn.over;
    expect(model.results.join()).toContain("Right");
  },
);

describe("claude-code", () => {
  const asksHim = (question: string) => ({
    tool: "AskUserQuestion",
    arguments: {
      questions: [
        {
          question,
          header: "Way",
          multiSelect: false,
          options: [
            { label: "Left", description: "To the sea" },
            { label: "Right", description: "To the hills" },
          ],
        },
      ],
    },
  });

  test("has one card for its own question, also after a person asked back and it asked in other words", async () => {
    const { desk } = await connectDesk(home);
    const model = await startModel([asksHim("Which way?"), asksHim("Which way, if left is to the sea?")]);
    expect(await home.spawn(["install", "claude-code", "--with-hooks"])).toMatchObject({ code: 0 });
    // Without a person, the model is offered its question tool only beside a prompt tool.
    const [command, script] = program("askbox");
    const servers = { mcpServers: { approvals: { command, args: [script, "mcp", "--approval-prompt"] } } };
    const prompting = ["--mcp-config", JSON.stringify(servers), "--permission-prompt-tool", "mcp__approvals__approval_prompt"];
    const turn = claudeCode.ask(home, model, folder, allTools, prompting);
    const pending = async () => (await desk.list({ statuses: ["pending"] })).items;
    const first = await until("it asks", async () => (await pending())[0]);
    await desk.askBack(first.id, { text: "Where is the sea?" });
    const second = await until("it asks again", async () => (await pending()).find(({ id }) => id !== first.id));
    expect(await pending()).toHaveLength(1);
    expect(model.results.join()).toContain("This is not an error: the person asks you something before answering");
    await desk.answer(second.id, { answers: [{ questionId: second.questions[0]?.id ?? "", values: ["Left"] }] });
    await turn.over;
    expect(await pending()).toEqual([]);
    expect(model.results.at(-1)).toContain("Left");
  });

  test("asks from each settings folder in which it is set up", async () => {
    const { desk } = await connectDesk(home);
    const folders: Record<string, string>[] = [{}, { CLAUDE_CONFIG_DIR: join(home.path, "work") }];
    for (const env of folders) expect(await home.spawn(["install", "claude-code"], { env })).toMatchObject({ code: 0 });
    for (const [number, env] of folders.entries()) {
      const model = await startModel(askUser(`Which way, ${number}?`));
      const turn = claudeCode.ask(home, model, folder, env);
      const { id, questions } = await until("it asks", async () => (await desk.list({ statuses: ["pending"] })).items[0]);
      expect(questions[0]?.question).toBe(`Which way, ${number}?`);
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Left"] }] });
      await turn.over;
      expect(model.results.join()).toContain("Left");
    }
  });
});
