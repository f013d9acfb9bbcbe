import { describe, expect, test } from "vitest";
import type { RunRequest } from "../src/run.ts";
import { exited, type Reaction, scene } from "./support/scene.ts";

const isPopup = ({ args }: RunRequest) => args.includes("display-popup");
const attached =
  (listing: string) =>
  (request: RunRequest): Reaction =>
    isPopup(request) ? "stays" : { stdout: listing };
const env = { PATH: "/usr/bin", TMUX: "/tmp/tmux-1000/default,4242,0", ASKBOX_HOME: "/home/ada/.ask box" };

describe("the popup", () => {
  test("shows the terminal inbox of this home on the most recently used client, ignoring programs that control tmux", async () => {
    const { announce, started } = await scene({
      mode: "terminal",
      env,
      react: attached("100 0 /dev/pts/1\n300 0 /dev/pts/2\n900 1 client-77\n200 0 /dev/pts/3\n"),
    });
    await announce();
    const popup = started.at(-1)?.request;
    expect(popup?.program).toBe("tmux");
    expect(popup?.args).toEqual([
      ...["-S", "/tmp/tmux-1000/default", "display-popup", "-E", "-w", "80%", "-h", "80%", "-T", "askbox", "-c", "/dev/pts/2", "--"],
      ...["env", "ASKBOX_HOME=/home/ada/.ask box", "/opt/node", "/opt/askbox.js", "--once"],
    ]);
    expect(popup?.shell).toBeUndefined();
    expect(popup?.env["TMUX"]).toBeUndefined();
  });

  test("is opened on the default server if the one in TMUX has ended, or TMUX is not set", async () => {
    const react = (request: RunRequest): Reaction => {
      if (isPopup(request)) return "stays";
      return request.args.includes("-S") ? { ending: exited(1), stderr: "no server running" } : { stdout: "1 0 /dev/pts/9\n" };
    };
    for (const variables of [env, { PATH: "/usr/bin" }]) {
      const { announce, started } = await scene({ mode: "terminal", env: variables, react });
      await announce();
      expect(started.at(-1)?.request.args.slice(0, 2)).toEqual(["display-popup", "-E"]);
    }
  });

  test("is not opened twice; questions that arrive while it is open are shown in another afterwards", async () => {
    const { announce, ask, answer, clock, started, batchLeaves } = await scene({
      mode: "terminal",
      env,
      react: attached("1 0 /dev/pts/1\n"),
    });
    const popups = () => started.filter(({ request }) => isPopup(request));
    await announce();
    const [settled] = [await ask(), await ask()];
    await batchLeaves();
    await announce();
    expect(popups()).toHaveLength(1);
    await answer(settled);
    popups()[0]?.end();
    // Its surface may still be connected, and would count as somebody who sees the questions.
    await clock.advance(1_499);
    expect(popups()).toHaveLength(1);
    await batchLeaves();
    expect(popups()).toHaveLength(2);
  });

  test("is not opened again for what somebody saw in it", async () => {
    const { announce, started, somebody, batchLeaves } = await scene({ mode: "terminal", env, react: attached("1 0 /dev/pts/1\n") });
    await announce();
    somebody.there = true;
    await announce();
    somebody.there = false;
    started.at(-1)?.end();
    await batchLeaves();
    expect(started.filter(({ request }) => isPopup(request))).toHaveLength(1);
  });

  test("is stopped when this closes", async () => {
    const { announce, notify, started, warnings } = await scene({ mode: "terminal", env, react: attached("1 0 /dev/pts/1\n") });
    await announce();
    await notify.close();
    expect(started.map(({ stopped }) => stopped).at(-1)).toBe(true);
    expect(warnings()).toEqual([]);
  });
});
