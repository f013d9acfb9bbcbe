import { expect, test } from "vitest";
import { connected } from "./connected.ts";

const input = { questions: [{ question: "Shall we?" }] };

/** Calls until the identity was requested, and returns the roots it received. */
async function rootsGiven(answer: "roots" | "refusal") {
  const given: string[][] = [];
  const { client, connect } = await connected({
    identity: async (caller) => {
      given.push(await caller.roots());
      return Promise.reject(new Error("That is all this test wants to know."));
    },
  });
  let asked = 0;
  client.setRequestHandler("roots/list", async () => {
    asked += 1;
    if (answer === "refusal") throw new Error("No.");
    return { roots: [{ uri: `file:///work-${asked}` }] };
  });
  await connect();
  const call = async () => void (await client.callTool({ name: "ask_user", arguments: input }));
  return { given, call, client };
}

test("the client's roots are requested once, until the client reports a change", async () => {
  const { given, call, client } = await rootsGiven("roots");
  await call();
  await call();
  await client.sendRootsListChanged();
  await call();
  expect(given).toEqual([["file:///work-1"], ["file:///work-1"], ["file:///work-2"]]);
});

test("a client that does not list its roots has none", async () => {
  const { given, call } = await rootsGiven("refusal");
  await call();
  expect(given).toEqual([[]]);
});
