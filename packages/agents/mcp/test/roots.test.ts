import { expect, test } from "vitest";
import { connected } from "./connected.ts";

const input = { questions: [{ question: "Shall we?" }] };

/** Calls until the identity was requested, and returns the roots it received. */
async function rootsGiven(answer: "roots" | "refusal") {
  const seen: string[][] = [];
  const { client, connect } = await connected({
    identity: async (caller) => {
      seen.push(await caller.roots());
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
  return { seen, call, client };
}

test("the client's roots are requested once, until the client reports a change", async () => {
  const { seen, call, client } = await rootsGiven("roots");
  await call();
  await call();
  await client.sendRootsListChanged();
  await call();
  expect(seen).toEqual([["file:///work-1"], ["file:///work-1"], ["file:///work-2"]]);
});

test("a client that does not list its roots has none", async () => {
  const { seen, call } = await rootsGiven("refusal");
  await call();
  expect(seen).toEqual([[]]);
});
