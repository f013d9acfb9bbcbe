import { anAsk, anAsker } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

const style = {
  question: "Which styling approach?",
  type: "select" as const,
  options: ["Tailwind", { label: "CSS Modules", value: "modules", description: "One file each" }],
};

describe("askbox list", () => {
  test("shows pending sessions by deadline, with the time left", async () => {
    const inbox = await openInbox();
    const first = await inbox.ask({ questions: [{ question: "First?" }], timeout: 600_000 });
    await inbox.clock.advance(65_000);
    const second = await inbox.ask({ questions: [style, { question: "And?" }], title: "Looks" });
    const table = [
      "ID        ASKED      LEFT   FROM                   QUESTION",
      `${second.id.slice(0, 8)}  just now   5 min  test-client (agent-1)  Looks (2 questions)`,
      `${first.id.slice(0, 8)}  1 min ago  9 min  test-client (agent-1)  First?`,
      "",
    ];
    expect(await inbox.run(["list"])).toEqual({ code: 0, stderr: "", stdout: table.join("\n") });
    expect((await inbox.run(["list", "--limit", "1"])).stdout).not.toContain(first.id.slice(0, 8));
    const json = JSON.parse((await inbox.run(["list", "--json"])).stdout);
    expect(json.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  });

  test("finds questions by text, project, agent and client, and shows at most a number of them", async () => {
    const inbox = await openInbox();
    for (const question of ["Deploy?", "Build?", "Deploy again?", "Deploy last?"]) {
      await inbox.ask({ questions: [{ question }] });
      await inbox.clock.advance(1_000);
    }
    const found = async (...flags: string[]) => {
      const { stdout, stderr } = await inbox.run(["list", "--json", ...flags]);
      return [JSON.parse(stdout).map(({ questions }: { questions: { question: string }[] }) => questions[0]?.question), stderr];
    };
    expect(await found("--search", "DEPLOY")).toEqual([["Deploy?", "Deploy again?", "Deploy last?"], ""]);
    expect(await found("--search", "deploy", "--limit", "3")).toEqual([["Deploy?", "Deploy again?", "Deploy last?"], ""]);
    const more = "There are more than 2; raise --limit to see them.\n";
    expect(await found("--search", "deploy", "--limit", "2")).toEqual([["Deploy?", "Deploy again?"], more]);
    expect(await found("--status", "all", "--limit", "1")).toEqual([["Deploy last?"], expect.stringContaining("more than 1")]);
    expect((await found("--agent", "agent-1", "--client", "test-client"))[0]).toHaveLength(4);
    for (const flags of [
      ["--agent", "another"],
      ["--client", "another"],
      ["--project", "/elsewhere"],
    ]) {
      expect(await found(...flags)).toEqual([[], ""]);
    }
    expect((await inbox.run(["list", "--search", "nothing"])).stdout).toBe("No questions to show.\n");
    for (const limit of ["0", "-1", "many"]) {
      expect(await inbox.run(["list", `--limit=${limit}`])).toMatchObject({ code: 2, stderr: expect.stringContaining("--limit takes") });
    }
  });

  test("says which machine asks where one does, whole at 80 columns, and lists only its questions", async () => {
    const inbox = await openInbox();
    const from = (machine: string | undefined, title: string) => {
      const by = { agentId: undefined, client: { name: "codex" }, machine, project: "/srv/a-project-with-a-long-name" };
      return inbox.asker.ask(anAsk({ title }), { asker: anAsker(by), key: title, maxWait: 0 });
    };
    await from(undefined, "Here");
    expect((await inbox.run(["list"])).stdout).not.toContain("MACHINE");
    await from("build-7.example.internal", "There");
    const [head, ...rows] = (await inbox.run(["list"], { columns: 80 })).stdout.split("\n");
    expect(head).toMatch(/FROM {3}MACHINE {19}QUESTION/);
    expect(rows).toEqual([
      expect.stringMatching(/Codex {2}– {2,}Here/),
      expect.stringMatching(/Codex {2}build-7.example.internal {2}Ther/),
      "",
    ]);
    const found = JSON.parse((await inbox.run(["list", "--json", "--machine", "build-7.example.internal"])).stdout);
    expect(found.map(({ title }: { title: string }) => title)).toEqual(["There"]);
    expect((await inbox.run(["list", "--machine", "build-7"])).stdout).toBe("No questions to show.\n");
  });

  test("fits any terminal width", async () => {
    const inbox = await openInbox();
    await inbox.ask({ questions: [{ question: "長い質問 ".repeat(60) }] });
    for (const columns of [20, 40, 80, 200]) {
      const { stdout } = await inbox.run(["list"], { columns });
      const { default: stringWidth } = await import("string-width");
      for (const line of stdout.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(stdout).toContain("長");
    }
  });

  test("prints a line with the first sentence if the output is not a terminal", async () => {
    const inbox = await openInbox();
    const words = "many words ".repeat(80);
    const questions = ["Deploy 1.2 to **production**?\n\n1. Yes\n2. No", "今すぐ配備しますか？はい。", "No sentence", words];
    for (const question of questions) {
      await inbox.ask({ questions: [{ question }] });
      await inbox.clock.advance(1);
    }
    const { stdout } = await inbox.run(["list"], { columns: Number.POSITIVE_INFINITY });
    const shown = stdout.trimEnd().split("\n").slice(1);
    expect(shown.map((line) => line.split("engine (main)  ")[1])).toEqual([
      "Deploy 1.2 to production?",
      "今すぐ配備しますか？",
      "No sentence",
      `${words.slice(0, 199).trimEnd()}…`,
    ]);
  });

  test("names a client by its title", async () => {
    const inbox = await openInbox();
    await inbox.ask({ questions: [{ question: "Deploy?" }] }, { client: "claude-code" });
    expect((await inbox.run(["list"])).stdout).toContain("  Claude Code (agent-1)  ");
  });

  test("filters by status and prints the sessions as JSON", async () => {
    const inbox = await openInbox();
    const answered = await inbox.ask({ questions: [{ id: "a", question: "First?" }] });
    await inbox.desk.answer(answered.id, { answers: [{ questionId: "a", values: ["yes"] }] });
    await inbox.ask({ questions: [{ question: "Second?" }] });
    const one = JSON.parse((await inbox.run(["list", "--status", "answered", "--json"])).stdout);
    expect(one).toEqual([
      expect.objectContaining({
        id: answered.id,
        status: "answered",
        questions: [expect.objectContaining({ id: "a" })],
        deadlineAt: expect.any(Number),
      }),
    ]);
    const all = JSON.parse((await inbox.run(["list", "--status", "all", "--json"])).stdout);
    expect(all.map(({ status }: { status: string }) => status).sort()).toEqual(["answered", "pending"]);
    expect((await inbox.run(["list", "--status", "all"])).stdout).toMatch(/STATUS.*answered/s);
  });

  test("reads all pages", async () => {
    const inbox = await openInbox();
    for (let count = 0; count < 30; count += 1) {
      await inbox.clock.advance(1);
      await inbox.ask({ questions: [{ question: `Question ${count}?` }] });
    }
    const list = inbox.desk.list.bind(inbox.desk);
    const { allSessions } = await import("../src/sessions-of.ts");
    const paged = { ...inbox.desk, list: (query: Parameters<typeof list>[0]) => list({ ...query, limit: 7 }) };
    expect((await allSessions(paged, "pending")).map(({ questions }) => questions[0]?.question)).toEqual(
      Array.from({ length: 30 }, (_, count) => `Question ${count}?`),
    );
  });

  test("says so if nothing is pending", async () => {
    const inbox = await openInbox();
    expect(await inbox.run(["list"])).toEqual({ code: 0, stdout: "No questions are waiting.\n", stderr: "" });
    expect((await inbox.run(["list", "--json"])).stdout).toBe("[]\n");
  });
});

describe("askbox show", () => {
  test("shows the questions, the expected answers, and how to answer", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [{ ...style, id: "style", header: "Look" }] });
    const { stdout, code } = await inbox.run(["show", id.slice(0, 4)]);
    expect(code).toBe(0);
    for (const part of [
      "[Look] Which styling approach?",
      "choose one · required · or your own words",
      "#1  Tailwind",
      "#2  CSS Modules (modules)",
      "One file each",
      "Pending, 5 min left; the agent is waiting.",
    ]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toContain(
      `askbox answer ${id.slice(0, 8)} '#N'\n  askbox answer ${id.slice(0, 8)} --other 'style=your own words'\n  askbox cancel ${id.slice(0, 8)}\n`,
    );
  });

  test("quotes a question's id in the line to copy, and omits one that cannot be typed", async () => {
    const inbox = await openInbox();
    const quoted = await inbox.ask({
      questions: [
        { id: "$(reboot)'; x", question: "A?" },
        { id: "b", question: "B?", type: "confirm" },
      ],
    });
    expect((await inbox.run(["show", quoted.id])).stdout).toContain(`--set '$(reboot)'\\''; x=your text' --set 'b=yes or no'`);
    const hidden = await inbox.ask({
      questions: [
        { id: "a\u202eb", question: "A?" },
        { id: "c", question: "C?" },
      ],
    });
    expect((await inbox.run(["show", hidden.id])).stdout).toContain(`askbox answer ${hidden.id.slice(0, 8)} --json answers.json`);
  });

  test("the lines to copy choose nothing: pasted unchanged they are rejected if there is something to choose", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({
      questions: [
        { ...style, id: "style" },
        { id: "go", question: "Go?", type: "confirm" },
      ],
    });
    const { code } = await inbox.run(["answer", id, "--set", "style=#N", "--set", "go=yes or no"]);
    expect(code).toBe(1);
    expect((await inbox.desk.get(id)).status).toBe("pending");
  });

  // promise: delivered-still-shown
  test("shows who answered what, where and when", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({ questions: [{ ...style, id: "style" }] });
    await inbox.desk.answer(id, { answers: [{ questionId: "style", values: ["modules"], note: "less noise" }], comment: "thanks" });
    await inbox.clock.advance(120_000);
    const { stdout } = await inbox.run(["show", id]);
    for (const part of ["Answered by ada in the browser, 2 min ago: CSS Modules", "→ CSS Modules", "Note: less noise", "Comment: thanks"])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain("askbox answer");
    expect(JSON.parse((await inbox.run(["show", id, "--json"])).stdout)).toEqual(await inbox.desk.get(id));
  });

  // promise: id-prefix
  test("rejects an id that is unknown, too short or ambiguous", async () => {
    const inbox = await openInbox();
    expect(await inbox.run(["show", "zzzz"])).toMatchObject({ code: 1, stdout: "" });
    const failed = await inbox.run(["show", "zzzz", "--json"]);
    expect(JSON.parse(failed.stdout)).toEqual({ error: { code: "SESSION_NOT_FOUND", message: failed.stderr.trim() } });
    const { id } = await inbox.ask({ questions: [{ question: "A?" }] });
    expect(await inbox.run(["show", id.slice(0, 3)])).toMatchObject({ code: 1, stdout: "" });
  });
});

test("askbox alone shows pending sessions and how to answer them", async () => {
  const inbox = await openInbox();
  expect((await inbox.run([])).stdout).toContain("askbox demo");
  const { id } = await inbox.ask({ questions: [{ question: "Ready?", type: "confirm" }] });
  const { code, stdout } = await inbox.run([]);
  expect(code).toBe(0);
  expect(stdout).toContain("Ready?");
  expect(stdout).toContain(`askbox answer ${id.slice(0, 8)} yes`);
});
