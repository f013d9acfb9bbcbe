import { AskboxError } from "@askbox/core";
import { checkAgent, memoryAgents } from "@askbox/core/stores";
import { expect, test } from "vitest";

test.each<[unknown, string]>([
  [{ id: "" }, "An agent's id must be at least 1 character long."],
  [{ id: "x".repeat(201) }, "An agent's id must be at most 200 characters long."],
  [{}, "An agent's id must be a string; it is missing."],
  [{ id: "a", name: " " }, "An agent's name must be at least 1 character long."],
  [{ id: "a", name: "x".repeat(201) }, "An agent's name must be at most 200 characters long."],
  [{ id: "a", resume: "" }, "An agent's resume must be at least 1 character long."],
  [{ id: "a", resume: "x".repeat(2_001) }, "An agent's resume must be at most 2000 characters long."],
  ["a", "An agent's entry must be an object."],
])("%j is rejected as an agent with one sentence", (agent, sentence) => {
  expect(() => checkAgent(agent)).toThrow(new AskboxError("VALIDATION", sentence));
  expect(() => checkAgent(agent)).toThrow(expect.objectContaining({ code: "VALIDATION" }));
});

test("an agent's names are trimmed, and its fields may have their maximum length", () => {
  expect(checkAgent({ id: " a ", name: " A ", resume: " go ", colour: "red" })).toStrictEqual({ id: "a", name: "A", resume: "go" });
  const long = { id: "x".repeat(200), name: "x".repeat(200), resume: "x".repeat(2_000) };
  expect(checkAgent(long)).toStrictEqual(long);
});

test("the listed and the added agents cannot be modified from outside", async () => {
  const agents = memoryAgents();
  const added = await agents.add({ id: "a" });
  added.name = "Another";
  const [listed] = await agents.list();
  if (listed !== undefined) listed.name = "Another";
  expect(await agents.list()).toEqual([{ id: "a" }]);
});

test("nobody is notified of an agent before it is saved", async () => {
  const saving = Promise.withResolvers<void>();
  const agents = memoryAgents({ save: () => saving.promise });
  const adding = agents.add({ id: "a" });
  await Promise.resolve();
  expect(await agents.list()).toEqual([]);
  saving.resolve();
  await adding;
  expect(await agents.list()).toEqual([{ id: "a" }]);
});
