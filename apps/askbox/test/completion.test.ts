import { describe, expect, test } from "vitest";
import { commandList } from "../src/command-list.ts";
import { openInbox } from "./support/inbox.ts";

/** The words a shell would offer for the last of these. */
async function offered(words: string[], inbox?: Awaited<ReturnType<typeof openInbox>>): Promise<string[]> {
  const { code, stdout, stderr } = await (inbox ?? (await openInbox())).run(["__complete", "--", ...words]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
}

describe("shell completion", () => {
  test("offers every command with its description", async () => {
    expect(await offered([""])).toEqual([...commandList.map(({ name }) => name), "help"]);
    const { stdout } = await (await openInbox()).run(["__complete", "--", "exten"]);
    expect(stdout).toBe("extend\tGive questions more time\n");
  });

  test.each([
    ["a command's flags", ["ask", "--ti"], ["--title", "--timeout"]],
    ["no flag twice, unless it may be repeated", ["ask", "--title", "x", "--option", "a", "--ti"], ["--timeout"]],
    ["a flag that may be repeated", ["ask", "--option", "a", "--opt"], ["--option", "--optional"]],
    ["a flag's values", ["list", "--status", ""], ["pending", "answered", "cancelled", "timed_out", "denied", "all"]],
    ["a value after an equals sign", ["list", "--status=p"], ["--status=pending"]],
    ["a value after an equals sign that is a word of its own, as in bash", ["list", "--status", "=", "p"], ["pending"]],
    ["a text's formats", ["ask", "Q?", "--format", ""], ["email", "url", "date-time"]],
    ["the types of a question", ["ask", "Q?", "--type", "m"], ["multi-select"]],
    ["what the server's flags take", ["mcp", "--on-cancel", ""], ["keep", "withdraw"]],
    ["subcommands", ["hub", "st"], ["status", "stop"]],
    ["a subcommand's own flags", ["hub", "status", "--j"], ["--json"]],
    ["settings", ["config", "set", "limits.pending"], ["limits.pending", "limits.pendingPerToken", "limits.pendingBytesPerToken"]],
    ["shells", ["completion", ""], ["bash", "zsh", "fish"]],
    ["the commands that help knows", ["help", "ex"], ["extend"]],
    ["files where a file belongs", ["ask", "--file", ""], [":files"]],
    ["what every command takes", ["--hub", "http://127.0.0.1:1", "list", "--to"], ["--token-file"]],
    ["nothing for text of one's own", ["ask", "--title", ""], []],
    ["nothing after an unknown command", ["format", ""], []],
  ])("offers %s", async (_, words, expected) => {
    expect(await offered(words)).toEqual(expected);
  });

  test("offers registered and asking agents, unless their name needs quoting in a shell", async () => {
    const inbox = await openInbox();
    for (const id of ["builder", "$(reboot)"]) await inbox.agents.add({ id });
    await inbox.ask({ questions: [{ question: "Go?" }] });
    expect(await offered(["answer", "--agent", ""], inbox)).toEqual(["builder", "agent-1"]);
    expect(await offered(["agent", "remove", "bu"], inbox)).toEqual(["builder"]);
    expect(await offered(["agent", ""], inbox)).toEqual(["add", "list", "remove"]);
  });

  test("offers the ids of pending sessions, and simple answers to a single question", async () => {
    const inbox = await openInbox();
    const { id } = await inbox.ask({
      title: "Looks\u001b[2J",
      questions: [{ question: "Which?", type: "select", options: ["Tailwind", "CSS Modules", "$(reboot)", "--force", "`x`"] }],
    });
    const go = await inbox.ask({ questions: [{ question: "Go?", type: "confirm" }] });
    const done = await inbox.ask({ questions: [{ id: "a", question: "Done?" }] });
    await inbox.desk.answer(done.id, { answers: [{ questionId: "a", values: ["yes"] }] });
    for (const command of ["show", "answer", "cancel", "wait", "extend", "snooze"]) {
      expect((await offered([command, ""], inbox)).sort()).toEqual([id.slice(0, 8), go.id.slice(0, 8)].sort());
    }
    expect((await inbox.run(["__complete", "--", "show", id.slice(0, 5)])).stdout).toBe(`${id.slice(0, 8)}\tLooks␛\n`);
    expect(await offered(["answer", id.slice(0, 8), ""], inbox)).toEqual(["Tailwind"]);
    expect(await offered(["answer", go.id, ""], inbox)).toEqual(["yes", "no"]);
    // If no hub is running there are none, and no error is printed.
    expect((await inbox.run(["__complete", "--", "show", ""], { asksOnly: true })).stdout).toBe("");
  });
});
