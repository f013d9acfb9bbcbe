import { testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { sendTests } from "../src/index.ts";
import { ntfyServer } from "./support/ntfy-server.ts";
import type { Reaction } from "./support/scene.ts";
import { comes, exited, recordingRunner, scene, target } from "./support/scene.ts";

const minute = 60_000;
const replyTopic = "replies-1f0c";

async function testScene(settings: Parameters<typeof target>[0] = { replyTopic }, { react }: { react?: () => Reaction } = {}) {
  const ntfy = await ntfyServer();
  const { clock } = testPlatform();
  const { run, started } = recordingRunner(react);
  const phone = target({ kind: "ntfy", url: `${ntfy.url}/questions`, events: ["session.opened"], ...settings });
  const sent: number[] = [];
  const results = sendTests({
    clock,
    log: () => {},
    timeout: minute,
    fetch: globalThis.fetch,
    targets: [phone, target({ url: `${ntfy.url}/hook` })],
    local: { mode: "notify", settings: {}, env: { PATH: "/usr/bin" }, platform: "linux", run },
    onSent: (buttons) => sent.push(buttons),
  });
  await comes(() => expect(sent).toHaveLength(1));
  return { ntfy, clock, started, phone, sent, results };
}

describe("a test of the ways to a person", () => {
  test("goes to the desktop and to the phone, not to programs, and ends with the press", async () => {
    const { ntfy, results, sent, started } = await testScene();
    expect(sent).toEqual([1]);
    expect(started[0]?.request.args.at(-1)).toContain("A test of askbox");
    await ntfy.press(ntfy.pushes[0], "It works");
    expect(await results).toEqual([{ way: "notify" }, { way: expect.stringContaining("ntfy http://127"), pressedAfter: 0 }]);
    await comes(() =>
      expect(ntfy.pushes.at(-1)).toMatchObject({ message: "Answered by phone through the API: A test of askbox", priority: 1 }),
    );
    expect(ntfy.refused).toEqual([]);
  });

  test("says that no press came, and why the desktop or the phone got nothing", async () => {
    const silent = await testScene();
    await silent.clock.advance(minute);
    expect((await silent.results)[1]).toMatchObject({ pressedAfter: null });
    const broken = await testScene({ url: "http://127.0.0.1:9/questions" }, { react: () => ({ ending: exited(1) }) });
    expect(await broken.results).toMatchObject([
      { way: "notify", trouble: "notify-send could not show a notification." },
      { way: "ntfy http://127.0.0.1:9/que…", trouble: expect.stringMatching(/ECONNREFUSED|bad port/) },
    ]);
    expect(broken.sent).toEqual([0]);
  });

  test("has no button without a topic for replies", async () => {
    const { results, sent } = await testScene({ replyTopic: undefined });
    expect(sent).toEqual([0]);
    expect((await results)[1]).toEqual({ way: expect.stringContaining("ntfy") });
  });

  test("is ignored by a running hub, which reads its press too", async () => {
    const { ntfy, phone, results } = await testScene();
    const { warnings } = await scene({ targets: [phone], remote: { fetch: globalThis.fetch } });
    await comes(() => expect(ntfy.readers()).toBe(2));
    await ntfy.press(ntfy.pushes[0], "It works");
    await results;
    expect(warnings()).toEqual([]);
  });
});
