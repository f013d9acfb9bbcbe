import { testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { openInBrowser } from "../src/index.ts";
import { exited, missing, type Reaction, recordingRunner } from "./support/recording-runner.ts";

const link = "http://127.0.0.1:4141/#login=abc&d";

function scene(react: (program: string) => Reaction | undefined, env: Record<string, string> = { DISPLAY: ":0" }) {
  const { clock } = testPlatform();
  const { run, started } = recordingRunner(({ program }) => react(program));
  const opened = openInBrowser(link, { env, platform: "linux", clock, run });
  return { clock, started, opened };
}

describe("opening a page on demand", () => {
  test("passes the link as one argument to the system's opener, which outlives this process", async () => {
    const { opened, started } = scene(() => ({ ending: exited(0) }));
    expect(await opened).toBe(true);
    expect(started.map(({ request }) => [request.program, request.args, request.outlives])).toEqual([["xdg-open", [link], true]]);
  });

  test("treats an opener that keeps running as the browser, and leaves it alone", async () => {
    const { opened, started, clock } = scene(() => "stays");
    await clock.advance(1_500);
    expect(await opened).toBe(true);
    expect(started[0]?.stopped).toBe(false);
  });

  test("tries the next opener if one is missing or fails", async () => {
    const { opened, started } = scene((program) => ({ ending: program === "wslview" ? missing : exited(program === "xdg-open" ? 0 : 4) }), {
      WSL_DISTRO_NAME: "Ubuntu",
    });
    expect(await opened).toBe(true);
    expect(started.map(({ request }) => request.program)).toEqual(["wslview", "rundll32.exe", "xdg-open"]);
  });

  test("reports that nothing here can open it", async () => {
    expect(await scene(() => ({ ending: exited(3) })).opened).toBe(false);
    expect(await scene(() => ({ ending: missing })).opened).toBe(false);
  });

  test("is not tried over SSH", async () => {
    const { opened, started } = scene(() => undefined, { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22", DISPLAY: ":0" });
    expect(await opened).toBe(false);
    expect(started).toEqual([]);
  });
});
