import { expect, onTestFinished, test } from "vitest";
import { type AskResult, run } from "../../examples/asked-back.ts";
import { overHttp } from "../mcp/harness/http.ts";
import { overStdio } from "../mcp/harness/stdio.ts";
import { eventually } from "../requirements/requirement.ts";

test.each([overStdio("SDK v1"), overStdio("SDK v2, 2026 era"), overHttp("SDK v1"), overHttp("SDK v2, 2026 era")])(
  "a scripted agent is asked back twice, replies, and is answered, $name",
  async (harness) => {
    onTestFinished(() => harness.close());
    const { agent, desk, nextSession } = await harness.connect();
    const running = run(async (name, args) => (await agent.callTool(name, args)).structuredContent as AskResult);
    const { id } = await nextSession();
    for (const [round, text] of ["Why not Postgres?", "Can we change it later?"].entries()) {
      await desk.askBack(id, { text });
      await eventually(async () => ((await desk.get(id)).thread?.length === 2 * round + 2 ? true : undefined), "the agent has replied");
    }
    const { status, thread = [] } = await desk.get(id);
    expect([status, thread.map(({ text, by }) => [by.surface, text])]).toEqual([
      "pending",
      [
        ["cli", "Why not Postgres?"],
        ["asker", "SQLite needs no server; **Postgres** would be one more process."],
        ["cli", "Can we change it later?"],
        ["asker", "Yes: one command moves the data later."],
      ],
    ]);
    await desk.answer(id, { answers: [{ questionId: "db", values: ["SQLite"] }] });
    expect(await running).toBe("SQLite");
  },
);
