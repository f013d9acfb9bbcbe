import { AskboxError, type SharedState, silentLog } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { usesOfAccess } from "../src/auth/access.ts";
import { NamedTokens } from "../src/auth/named-tokens.ts";
import { sharedTokens } from "../src/shared/shared-state.ts";
import { until } from "./support.ts";

test("what a revoked token has made ends, also if one of them can't be removed", async () => {
  const clock = fakeClock();
  const uses = usesOfAccess(clock);
  const store = sharedTokens(sharedMemory(clock).open());
  let stuck = "";
  const remove: typeof store.remove = async (id) => {
    if (id === stuck) throw new AskboxError("STORE_UNAVAILABLE", "Redis is gone.");
    return store.remove(id);
  };
  const tokens = new NamedTokens({ store: { ...store, remove }, clock, uses, log: silentLog });
  const parent = await tokens.create({ name: "parent", scope: "desk" });
  const owner = `token:${parent.id}`;
  const ended: string[] = [];
  for (const name of ["one", "two"]) {
    const { id, token } = await tokens.create({ name, scope: "asker" }, { owner });
    if (name === "one") stuck = id;
    const access = await tokens.verify(token);
    if (access !== undefined) uses.begin(access, () => void ended.push(name));
  }
  await tokens.revokeOf(owner);
  expect(ended).toEqual(["one", "two"]);
  expect((await tokens.list()).map(({ name }) => name).sort()).toEqual(["one", "parent"]);
});

test("a token whose revocation Redis made without confirming it ends at every hub", async () => {
  const clock = fakeClock();
  const memory = sharedMemory(clock);
  let isUnconfirmed = false;
  const first = memory.open();
  const unsure: SharedState = {
    ...first,
    async swap(...change) {
      const isDone = await first.swap(...change);
      if (isUnconfirmed) throw new AskboxError("STORE_UNAVAILABLE", "Redis has the change, but its disk has not confirmed it.");
      return isDone;
    },
  };
  const hubs = [unsure, memory.open()].map((shared) => {
    const uses = usesOfAccess(clock);
    return { uses, tokens: new NamedTokens({ store: sharedTokens(shared), clock, uses, log: silentLog }) };
  });
  const [here, there] = hubs;
  const made = await here?.tokens.create({ name: "bot", scope: "desk" });
  const ended: string[] = [];
  for (const [index, { uses, tokens }] of hubs.entries()) {
    const access = await tokens.verify(made?.token ?? "");
    if (access !== undefined) uses.begin(access, () => void ended.push(`hub ${index}`));
  }
  await until(async () => (await there?.tokens.list())?.length === 1);
  isUnconfirmed = true;
  await expect(here?.tokens.revoke("bot")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await until(() => ended.length === 2);
  expect(ended.sort()).toEqual(["hub 0", "hub 1"]);
});
