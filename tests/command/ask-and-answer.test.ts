import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome, type Running } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** Starts `askbox ask` and waits until it has asked. */
async function asking(args: readonly string[], stdin?: string): Promise<{ id: string; asked: Running }> {
  const asked = home.start(["ask", ...args], { stdin });
  const [, id = ""] = await asked.says(/Asked as (\w{8})/);
  return { id, asked };
}

const pending = async () =>
  JSON.parse((await home.run(["list", "--json"])).stdout) as { id: string; status: string; questions: { id: string }[] }[];

describe("askbox in a shell", () => {
  // promise: hub-idle-exit
  test("a question is listed, shown and answered from another process, and the hub starts automatically", async () => {
    const { id, asked } = await asking(["Which style?", "--option", "Tailwind", "--option", "CSS Modules", "--json"]);
    expect(await pending()).toEqual([expect.objectContaining({ id: expect.stringMatching(new RegExp(`^${id}`)), status: "pending" })]);
    expect((await home.run(["show", id])).stdout).toContain("#2  CSS Modules");
    expect(await home.run(["answer", id, "#2"])).toEqual({ code: 0, stdout: `Answered ${id} for askbox ask: CSS Modules.\n`, stderr: "" });
    const { code, stdout } = await asked.done;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      answered: true,
      cancelled: false,
      timedOut: false,
      answers: [{ values: ["CSS Modules"] }],
      answeredBy: { surface: "cli" },
    });
    const status = JSON.parse((await home.run(["hub", "status", "--json"])).stdout);
    expect(status).toMatchObject({ pending: 0, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(await home.run(["answer", id, "Tailwind"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing changed: this is already settled\. Answered .*on the command line, .*: CSS Modules\n$/),
    });
  });

  test("a question survives the process that asked it, and the hub", async () => {
    const { id, asked } = await asking(["Still there?"]);
    asked.child.kill("SIGKILL");
    await asked.done;
    expect((await home.run(["hub", "stop"])).code).toBe(0);
    expect(await pending()).toHaveLength(1);
    expect(await home.run(["answer", id, "yes"])).toMatchObject({ code: 0, stdout: expect.stringContaining("the answer is kept") });
  });

  test("agents ask but do not answer, unless the config lets them", async () => {
    await home.serve();
    const { id, asked } = await asking(["Ready?", "--type", "confirm"]);
    const env = { CLAUDECODE: "1" };
    for (const args of [
      ["answer", id, "yes"],
      ["cancel", id],
    ]) {
      expect(await home.run(args, { env })).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Claude Code") });
    }
    const { writeFile } = await import("node:fs/promises");
    await writeFile(`${home.path}/config.json`, JSON.stringify({ allowAnswerFromAgents: true }));
    expect((await home.run(["answer", id, "yes"], { env })).code).toBe(0);
    expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  });
});

describe("bad input", () => {
  test("2 MB are rejected with a sentence, and pending questions stay pending", async () => {
    await home.serve();
    const { id } = await asking(["Which?"]);
    const huge = "x".repeat(2_000_000);
    const asked = await home.run(["ask", "--file", "-", "--json"], {
      stdin: JSON.stringify({
        questions: [{ question: "Q?", type: "select", options: ["A", "B"].map((label) => ({ label, preview: huge.slice(0, 1_000_000) })) }],
      }),
    });
    expect(asked.code).toBe(1);
    expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE", message: expect.stringMatching(/^[A-Z].*\.$/) } });
    const [session] = await pending();
    const answers = [{ questionId: session?.questions[0]?.id, values: [huge] }];
    const answered = await home.run(["answer", id, "--json", "-"], { stdin: JSON.stringify({ answers }) });
    expect(answered).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^The answer has 2\d{6} bytes; .*\.\n$/) });
    expect(await pending()).toHaveLength(1);
  });

  // promise: exit-code-2
  test.each([
    [["lst"], "Unknown command 'lst'. Did you mean list?"],
    [["list", "--jsno"], "Unknown option '--jsno'. Did you mean --json?"],
    [["mcp", "--tool", "ask_user"], "Unknown option '--tool'. Did you mean --tools?"],
    [["mcp", "surplus"], "Too many arguments for 'mcp'."],
    [["list", "--status", "open"], '--status takes one of pending, answered, cancelled, timed_out, denied, all, not "open".'],
    [["ask", "Q?", "--timeout"], "Option '--timeout <time>' argument missing. See askbox help ask."],
    [["hub", "--port", "x"], '--port takes a whole number from 0 to 65535, not "x".'],
    [["hub", "--idle-exit", "-1"], '--idle-exit takes a whole number of seconds, not "-1".'],
    [["hub", "status", "--port", "1"], "Unknown option '--port'."],
    [["hub", "statsu"], "Unknown command 'statsu'. Did you mean status?"],
    [["answer"], "Specify which questions to answer: pass their id, or --agent with the agent's id."],
  ])("%j is invalid: exit code 2 and one sentence", async (args, sentence) => {
    const ran = await home.run(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr.startsWith(sentence)).toBe(true);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
  });

  // promise: exit-code-5
  test("without a hub, the exit code is 5", async () => {
    expect(await home.run(["hub", "status"])).toMatchObject({ code: 5, stdout: "" });
    const { writeFile } = await import("node:fs/promises");
    await writeFile(`${home.path}/token`, "token");
    const ran = await home.run(["list", "--json", "--hub", "http://127.0.0.1:9", "--token-file", `${home.path}/token`]);
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: "HUB_UNREACHABLE", message: expect.any(String) } });
  });
});

// promise: terminal-text-cleaned, text-cleaned-at-boundary
test("text from an agent never reaches the terminal raw, wherever it is shown", async () => {
  await home.serve();
  const hostile = (name: string) => `${name}\u001b[2J\u001b]0;owned\u0007\u009b31m\u202etxt\u2066\u0000\r\b\u{E0041}\u200b`;
  const input = {
    title: hostile("title"),
    questions: [
      {
        id: hostile("id"),
        header: hostile("header"),
        question: hostile("question"),
        type: "select",
        placeholder: hostile("hint"),
        options: [{ label: hostile("label"), value: hostile("value"), description: hostile("description"), preview: hostile("preview") }],
      },
      { id: "long", question: "Long?", type: "select", options: [{ label: "\u001b[31m".repeat(4_000) }] },
    ],
  };
  const { id, asked } = await asking(["--file", "-"], JSON.stringify(input));
  const ran = [
    await home.run([]),
    await home.run(["list"]),
    await home.run(["show", id]),
    await home.run(["show", id, "--json"]),
    await home.run(["answer", id, "x"]),
    await home.run(["answer", id, "--set", "x=y"]),
    await home.run(["answer", id, "--set", `${input.questions[0]?.id.replace("\0", "")}=no`]),
    await home.run(["cancel", id, "--reason", hostile("reason").replace("\0", "")]),
    await asked.done,
    await home.run(["show", id]),
    await home.run(["cancel", id]),
    await home.run(["list", "--status", "all"]),
  ];
  for (const { stdout, stderr } of ran) {
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}|[\u200B\u{E0000}-\u{E007F}]/u);
  }
  expect(JSON.parse(ran[3]?.stdout ?? "")).toMatchObject({ title: input.title });
});

test("a reader that closes early is not an error", async () => {
  await home.serve();
  const big = { questions: [{ question: "Q?", type: "select", options: [{ label: "A", preview: "x".repeat(200_000) }] }] };
  await asking(["--file", "-"], JSON.stringify(big));
  const listing = home.start(["list", "--json"], { stdin: "" });
  listing.child.stdout.destroy();
  expect(await listing.done).toMatchObject({ code: 0, stderr: "" });
});
