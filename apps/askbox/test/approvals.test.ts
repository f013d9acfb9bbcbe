import { expect, test } from "vitest";
import { openInbox } from "./support/inbox.ts";

const asked = {
  title: "Bash: npm test",
  questions: [
    {
      id: "run",
      type: "approval" as const,
      question: "May it run this?",
      action: { kind: "command" as const, tool: "Bash", title: "npm test", command: "cd ~\nrm -rf \u202e~" },
    },
  ],
};

test("what is to be allowed is said by list, show, allow and answer, whatever the agent calls it", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask(asked);
  const listed = (await inbox.run(["list"])).stdout;
  expect(listed).toContain("Bash: cd ~ rm -rf ⟨U+202E⟩~");
  expect(listed).not.toContain("npm test");
  const page = (await inbox.run(["show", id])).stdout;
  expect(page.split("\n")[0]).toBe("Bash: cd ~ rm -rf ⟨U+202E⟩~");
  expect(page).toContain("The agent's title: Bash: npm test");
  // An approval is allowed or denied, and refuses to be asked back about.
  expect(page).toContain("To settle it, run one of these");
  expect(page).not.toContain("ask-back");
  expect(await inbox.run(["ask-back", id, "Why?"])).toMatchObject({ code: 2 });
  const { stdout } = await inbox.run(["allow", id]);
  expect(stdout).toMatch(/^Allow once: .*\n[\s\S]* {2}Command:\n {4}cd ~\n {4}rm -rf ⟨U\+202E⟩~\n/);
  const second = await inbox.ask({ ...asked, title: "Again" });
  expect((await inbox.run(["answer", second.id, "deny"])).stdout).toContain("rm -rf ⟨U+202E⟩~\n");
});

test("one of the agent's own options is shown, and allowed by its whole name alone", async () => {
  const inbox = await openInbox();
  const agentOptions = [{ value: "agent:a", label: "Always \u202eallow npm" }];
  const { id } = await inbox.ask({ ...asked, questions: asked.questions.map((question) => ({ ...question, agentOptions })) });
  expect((await inbox.run(["show", id])).stdout).toContain("The agent's own option: Always ⟨U+202E⟩allow npm\n");
  const refused = await inbox.run(["allow", id, "--option", "Always"]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("The agent's own options are ") });
  expect(await inbox.run(["allow", id, "--option", "x", "--grant", "project"])).toMatchObject({ code: 2 });
  const { stdout } = await inbox.run(["allow", id, "--option", "Always \u202eallow npm"]);
  expect(stdout).toMatch(/^The agent’s own option: /);
  expect((await inbox.desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["agent:a"] }] });
});

test("a permission is not answered by the name of its agent, which may ask something else by now", async () => {
  const inbox = await openInbox();
  const { id } = await inbox.ask(asked);
  const { code, stderr } = await inbox.run(["answer", "--agent", "agent-1", "Allow once"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`askbox show ${id.slice(0, 8)}`)]);
  expect((await inbox.desk.get(id)).status).toBe("pending");
});

test.each(["bash", "python3 -c", "sudo npm", "rm -rf dist"])("grants add %s wants --yes, and says why", async (prefix) => {
  const inbox = await openInbox();
  expect(await inbox.run(["grants", "add", prefix])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/(?:runs any code|any other program|destroys files).* any command that begins with .*--yes/),
  });
});
