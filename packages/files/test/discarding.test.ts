import { memoryStore, type SessionStore } from "@askbox/core";
import { expect, test } from "vitest";
import { attach, blobs, raw } from "./raw-requests.ts";
import { answers, askOne, startHub } from "./support.ts";

// promise: answer-file-stays-while-undone
test("a file can't be discarded while the answer that names it can still be undone", async () => {
  const hub = await startHub({ blobs: blobs() });
  const id = await askOne(hub);
  const file = { ...(await attach(hub, id)), name: "a.png" };
  const query = `session=${id}&id=${file.sha256}`;
  const discarded = async () => (await raw(hub, "DELETE", query, { as: "desk" })).status;
  const body = { answers: [{ ...answers[0], files: [file] }, answers[1]], delay: 30_000 };
  expect((await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body })).status).toBe(200);
  expect(await discarded()).toBe(409);
  await hub.clock.advance(29_000);
  expect(await discarded()).toBe(409);
  await hub.call("POST", `/api/sessions/${id}/recall`, { as: "desk" });
  expect(await discarded()).toBe(204);
});

test("a file can't be discarded between the check of an answer and its storing", async () => {
  const store = memoryStore();
  let discard = async () => 0;
  let discarded = 0;
  const late: SessionStore = {
    ...store,
    async replace(...change) {
      discarded = await discard();
      return store.replace(...change);
    },
  };
  const hub = await startHub({ store: late, blobs: blobs() });
  const id = await askOne(hub);
  const file = { ...(await attach(hub, id)), name: "a.png" };
  const query = `session=${id}&id=${file.sha256}`;
  discard = async () => (await raw(hub, "DELETE", query, { as: "desk" })).status;
  await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers: [{ ...answers[0], files: [file] }, answers[1]] } });
  expect(discarded).toBe(409);
  expect((await raw(hub, "GET", query, { as: "desk" })).status).toBe(200);
});
