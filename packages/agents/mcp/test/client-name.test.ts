import { expect, test } from "vitest";
import { connected } from "./connected.ts";

// promise: asker-info-bounded
test("a client's name from the handshake is truncated for display, and its ask accepted", async () => {
  const { connect, client, desk } = await connected({ clientName: "n".repeat(100_000) });
  await connect();
  const opened = new Promise<string>((resolve) => {
    void desk.watch({}, (event) => event.type === "session" && resolve(event.session.asker.client.name));
  });
  void client.callTool({ name: "ask_user", arguments: { questions: [{ question: "Go?" }] } }).catch(() => {});
  expect(await opened).toBe("n".repeat(200));
});
