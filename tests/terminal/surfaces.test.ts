import { expect, test } from "vitest";
import { inboxForEachTest } from "./support/inbox.ts";
import { keys } from "./support/terminal.ts";

const inbox = inboxForEachTest();
const choice = {
  id: "q_choice",
  type: "select",
  question: "Which fruit?",
  required: true,
  allowOther: true,
  options: [
    { label: "Apple", value: "apple" },
    { label: "Pear", value: "pear" },
  ],
} as const;
const question = { questions: [{ ...choice, options: [...choice.options] }] };
const words = { questions: [{ id: "q_text", type: "text" as const, question: "What is it called?", required: true }] };

test("of two terminals and another surface on one session one wins, and the others show who and where", async () => {
  const id = await inbox.hub.ask(question);
  const first = inbox.open({ env: { ASKBOX_NAME: "ada" } });
  const second = inbox.open({ env: { ASKBOX_NAME: "bob" } });
  await Promise.all([first.sees("Which fruit?"), second.sees("Which fruit?")]);
  first.send("1");
  second.send("2");
  await Promise.all([first.sees("(•) 1"), second.sees("(•) 2")]);
  first.send(keys.enter);
  second.send(keys.enter);
  const web = inbox.hub.desk("web", "eve").answer(id, { answers: [{ questionId: "q_choice", values: ["pear"] }] });
  const [webWon] = await Promise.all([
    web.then(
      () => true,
      () => false,
    ),
    inbox.settled(id),
  ]);
  const { outcome } = await inbox.session(id);
  const winner = outcome?.by.name;
  for (const [terminal, name] of [
    [first, "ada"],
    [second, "bob"],
  ] as const) {
    await terminal.sees(winner === name ? "Sent." : `Answered by ${winner} ${webWon ? "in the browser" : "in the terminal"}`);
  }
});

test("a session settled elsewhere closes with who and where, and further typing has no effect", async () => {
  const id = await inbox.hub.ask(words);
  await inbox.hub.ask({ title: "Another" }, { agentId: "agent-2" });
  const terminal = inbox.open({ tui: { sessionId: id.slice(0, 8) } });
  await terminal.sees("Type your answer");
  terminal.send("half a qu");
  await terminal.sees("half a qu");
  await inbox.hub.desk("web", "eve").answer(id, { answers: [{ questionId: "q_text", values: ["lathe"] }] });
  await terminal.sees("Answered by eve in the browser");
  terminal.send("qqxh");
  await terminal.sees("→ lathe");
  terminal.send(keys.enter);
  await terminal.sees("Another");
  await terminal.until((text) => !text.includes("half a qu"), "the list");
});

test("a draft is available in another terminal after the first was killed", async () => {
  const id = await inbox.hub.ask(words);
  const first = inbox.open({ isProcess: true });
  await first.sees("Type your answer");
  first.send("not lost");
  await expect.poll(async () => (await inbox.hub.desk("api").getDraft(id))?.fields["q_text"]?.values).toEqual(["not lost"]);
  first.kill("SIGKILL");
  await first.exited;
  const second = inbox.open();
  await second.sees("▏ not lost");
});

test("a missing hub is shown, typed text stays, and both recover when it returns", async () => {
  const id = await inbox.hub.ask(words);
  const terminal = inbox.open();
  await terminal.sees("Type your answer");
  terminal.send("before, ");
  await terminal.sees("before,");
  await inbox.hub.stop();
  await terminal.sees("The hub cannot be reached");
  terminal.send("meanwhile");
  await terminal.sees("before, meanwhile");
  await inbox.hub.start();
  await terminal.until((text) => !text.includes("cannot be reached"), "the hub back");
  terminal.send(keys.enter);
  expect(await inbox.answers(id)).toEqual([{ values: ["before, meanwhile"] }]);
});

test("settled sessions can be searched and read", async () => {
  const desk = inbox.hub.desk("web", "eve");
  for (const title of ["Zebra crossing", "Lion's den"]) {
    const id = await inbox.hub.ask({ ...words, title }, { agentId: title });
    await desk.answer(id, { answers: [{ questionId: "q_text", values: [`about ${title}`] }] });
  }
  const terminal = inbox.open();
  await terminal.sees("all caught up");
  terminal.send("h");
  await terminal.sees("2 settled");
  terminal.send("/", "zebra");
  await terminal.until((text) => text.includes("Zebra") && !text.includes("Lion"), "the one that was searched for");
  terminal.send(keys.enter);
  await terminal.sees("→ about Zebra crossing");
});

test("--once waits for a question, shows it, and exits when it is answered", async () => {
  const terminal = inbox.open({ tui: { once: true } });
  await terminal.sees("all caught up");
  const id = await inbox.hub.ask(question);
  await terminal.sees("Which fruit?");
  terminal.send("2", keys.enter);
  expect(await terminal.exited).toBe(0);
  expect(await inbox.answers(id)).toEqual([{ values: ["pear"] }]);
});
