import { readdirSync, readFileSync } from "node:fs";
import { type Answer, type Asker, createBroker, memoryStore, type SessionView, standardPlatform } from "@askbox/core";
import { expect, it, onTestFinished } from "vitest";
import { resumeEntries } from "../../examples/frameworks/ag-ui.ts";
import { runAiSdk, runAiSdkApprovals, runLangGraph, runOpenAiAgents } from "../../examples/frameworks/scripted.ts";

/** An asker, and a person who gives each question the value returned by `answer`, or declines them all. */
async function start(answer: (question: string) => string | Omit<Answer, "questionId"> | undefined): Promise<Asker> {
  const broker = await createBroker({ store: memoryStore(), ...standardPlatform(globalThis) });
  onTestFinished(() => broker.close());
  const desk = broker.desk({ surface: "api" });
  const settle = ({ id, questions }: SessionView) => {
    const answers = questions.flatMap((each) => {
      const reply = answer(JSON.stringify(each));
      return reply === undefined ? [] : [{ questionId: each.id, ...(typeof reply === "string" ? { values: [reply] } : reply) }];
    });
    return answers.length < questions.length ? desk.cancel(id) : desk.answer(id, { answers });
  };
  await desk.watch({}, async (event) => {
    if (event.type === "session" && event.session.status === "pending") await settle(event.session);
  });
  return broker.asker("agents");
}

it("an AI SDK tool gives the model the answer, or says that there is none", async () => {
  expect(await runAiSdk(await start(() => "next"))).toEqual({ answered: true, answer: "next" });
  const ownWords = await start(() => ({ values: [], customText: "neither" }));
  expect(await runAiSdk(ownWords)).toEqual({ answered: true, answer: "neither" });
  expect(await runAiSdk(await start(() => undefined))).toMatchObject({ answered: false });
});

it("the AI SDK runs only the calls that a person has approved", async () => {
  const person = await start((question) => (question.includes("b.txt") ? { values: ["deny"], customText: "Keep it" } : "allow"));
  expect(await runAiSdkApprovals(person)).toEqual({ deleted: ["a.txt", "c.txt"], said: "Done." });
  expect(await runAiSdkApprovals(await start(() => undefined))).toEqual({ deleted: [], said: "Done." });
});

it("a LangGraph.js interrupt is resumed with a person's decisions, and rejected if there are none", async () => {
  const request = {
    actionRequests: [
      { name: "deploy", args: { to: "production", notes: "More than a question can hold. ".repeat(100) } },
      { name: "drop", args: { table: "users" }, description: "Drops the users. ".repeat(100) },
      { name: "restart", args: {} },
    ],
    reviewConfigs: [],
  };
  const person = await start((question) => {
    if (question.includes("deploy")) return "allow";
    return question.includes("drop") ? { values: ["deny"], customText: "Not the users" } : "deny";
  });
  expect(await runLangGraph(person, request)).toEqual([
    { type: "approve" },
    { type: "reject", message: "Not the users" },
    { type: "reject", message: "A person turned it down." },
  ]);
  const nobody = { type: "reject", message: "Nobody approved it." };
  expect(await runLangGraph(await start(() => undefined), request)).toEqual([nobody, nobody, nobody]);
});

it("AG-UI's interrupts become entries that resume the run, cancelled if nobody answered", async () => {
  const interrupts = [
    { id: "i1", reason: "tool_approval", message: "Delete it?", toolCallId: "c1" },
    { id: "i2", reason: "input", message: "What name?" },
  ];
  expect(await resumeEntries(await start((question) => (question.includes("Delete it?") ? "no" : "Ada")), interrupts)).toEqual([
    { interruptId: "i1", status: "resolved", payload: { approved: false } },
    { interruptId: "i2", status: "resolved", payload: { text: "Ada" } },
  ]);
  const cancelled = await resumeEntries(await start(() => undefined), interrupts);
  expect(cancelled.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
});

it("an OpenAI agent only runs what a person has approved", async () => {
  const person = await start((question) => (question.includes("a.txt") ? "allow" : "deny"));
  expect(await runOpenAiAgents(person)).toEqual({ deleted: ["a.txt"], said: "Done." });
  expect(await runOpenAiAgents(await start(() => undefined))).toEqual({ deleted: [], said: "Done." });
});

it.each(readdirSync("examples/frameworks").filter((name) => name !== "scripted.ts"))("%s has under 60 lines", (name) => {
  expect(readFileSync(`examples/frameworks/${name}`, "utf8").split("\n").length).toBeLessThan(60);
});
