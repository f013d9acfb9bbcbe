import { expect, test } from "vitest";
import { connected } from "./connected.ts";

const input = { questions: [{ id: "a", question: "Shall we?" }], timeout: 10_000 };

test.each(["answered", "cancelled", "timed out"] as const)("logs that a session was %s, with session and call", async (end) => {
  const { client, connect, desk, logged, platform } = await connected();
  await connect();
  const call = client.callTool({ name: "ask_user", arguments: input });
  await desk.watch({}, (event) => {
    if (event.type !== "session" || event.session.status !== "pending") return;
    if (end === "answered") void desk.answer(event.session.id, { answers: [{ questionId: "a", values: ["my secret"] }] });
    if (end === "cancelled") void desk.cancel(event.session.id);
  });
  await platform.clock.advance(end === "timed out" ? 10_000 : 0);
  await call;
  const [session] = (await desk.list()).items;
  const last = logged.at(-1);
  expect(last).toMatchObject({
    level: end === "timed out" ? "warn" : "info",
    message: end === "timed out" ? "Session failed" : "Session completed successfully",
    data: { sessionId: session?.id, callId: session?.delivery.callId ?? expect.any(String) },
  });
  expect(JSON.stringify(logged)).not.toContain("my secret");
});
