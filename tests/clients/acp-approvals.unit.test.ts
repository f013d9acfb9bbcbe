import { expect, test } from "vitest";
import { openHub } from "./support/approvals-hub.ts";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const asked = (run: string) => ({
  type: "permission",
  conversation: "s1",
  run,
  agent: { name: "toy" },
  toolCall: { title: "npm test", kind: "execute" },
  options,
});
const over = (run: string, decided?: object) => ({ type: "over", conversation: "s1", run, reason: "It was answered in Zed.", decided });

test("a request that is sent again gets the same question, and its decision, also after that was made", async () => {
  const { desk, only, answer, send } = await openHub("/hooks/acp");
  const gone = new AbortController();
  const first = send(asked("one/1"), { signal: gone.signal }).catch(() => "gone");
  const { id } = await only("pending");
  const second = send(asked("one/1"));
  await expect.poll(async () => (await desk.get(id)).presence.asker).toBe("attached");
  gone.abort();
  expect(await first).toBe("gone");
  await answer(["allow"]);
  expect(await second).toMatchObject({ decision: { isAllowed: true } });
  expect(await send(asked("one/1"))).toMatchObject({ decision: { isAllowed: true } });
  expect((await desk.list({})).items.map((each) => each.id)).toEqual([id]);
});

test("an editor's answer that overtakes its request is recorded once that comes, and nobody is asked", async () => {
  const { desk, send } = await openHub("/hooks/acp");
  await send(over("one/1", { by: "Zed", value: "agent:always" }));
  expect(await send(asked("one/1"))).toMatchObject({ status: 204 });
  const [session] = (await desk.list({})).items;
  expect(session?.outcome).toMatchObject({
    kind: "answered",
    by: { surface: "client", name: "Zed" },
    answers: [{ values: ["agent:always"] }],
  });
  expect(session?.delivery.deliveredAt).not.toBeNull();
  // It was for that request alone.
  await send(over("one/2", { by: "Zed", value: "allow" }));
  const other = send(asked("one/3"));
  await expect.poll(async () => (await desk.list({ statuses: ["pending"] })).items.length).toBe(1);
  await send(over("one/3", { by: "Zed" }));
  await other;
});

test("an editor's answer that the question doesn't have takes the question back", async () => {
  const { only, send } = await openHub("/hooks/acp");
  const request = send(asked("one/1"));
  await only("pending");
  await send(over("one/1", { by: "Zed", value: "agent:other" }));
  await request;
  expect((await only("cancelled")).outcome).toMatchObject({ by: { surface: "asker" }, reason: "It was answered in Zed." });
});

test("another conversation's or another program's answer decides nothing", async () => {
  const { desk, only, answer, send } = await openHub("/hooks/acp");
  const request = send(asked("one/1"));
  const { id } = await only("pending");
  await send({ ...over("one/1", { by: "Zed", value: "allow" }), conversation: "s2" });
  await send(over("guess", { by: "Zed", value: "allow" }));
  expect((await desk.get(id)).status).toBe("pending");
  await answer(["deny"]);
  expect(await request).toMatchObject({ decision: { isAllowed: false } });
});
