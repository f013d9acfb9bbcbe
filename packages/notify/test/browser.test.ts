import { describe, expect, test } from "vitest";
import { exited, missing } from "./support/recording-runner.ts";
import { scene } from "./support/scene.ts";

const link = "http://127.0.0.1:4141/login?once=1&to=inbox";

describe("the browser", () => {
  // promise: attention-browser-once
  test.each([
    ["linux", { DISPLAY: ":0" }, "xdg-open", [link]],
    ["darwin", {}, "/usr/bin/open", [link]],
    ["win32", {}, "rundll32.exe", ["url.dll,FileProtocolHandler", link]],
    ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, "wslview", [link]],
  ] as const)("is opened on %s with %o by %s, without a shell", async (platform, env, program, args) => {
    const { ask, started, batchLeaves } = await scene({ mode: "browser", platform, env });
    await ask();
    await batchLeaves();
    expect(started).toHaveLength(1);
    expect(started[0]?.request).toMatchObject({ program, args, outlives: true });
    expect(started[0]?.request.shell).toBeUndefined();
  });

  // promise: attention-browser-once
  test("is opened once per run of the hub", async () => {
    const made = await scene({ mode: "browser" });
    for (let count = 0; count < 3; count += 1) {
      await made.ask();
      await made.batchLeaves();
    }
    expect(made.started).toHaveLength(1);
    expect(made.links).toBe(1);
  });

  test("is never stopped, since the opener may have become it", async () => {
    const { ask, attention, started, batchLeaves } = await scene({ mode: "browser", react: () => "stays" });
    await ask();
    await batchLeaves();
    await attention.close();
    expect(started[0]?.stopped).toBe(false);
  });

  test("is opened by the next opener if the first is missing", async () => {
    const { ask, started, warnings, batchLeaves } = await scene({
      mode: "browser",
      env: { WSL_DISTRO_NAME: "Ubuntu" },
      react: ({ program }) => (program === "wslview" ? { ending: missing } : undefined),
    });
    await ask();
    await batchLeaves();
    expect(started.map(({ request }) => request.program)).toEqual(["wslview", "rundll32.exe"]);
    expect(warnings()).toEqual([]);
  });

  test("that cannot be opened is tried again with the next question, with one warning", async () => {
    const { ask, started, warnings, batchLeaves } = await scene({ mode: "browser", react: () => ({ ending: missing }) });
    for (let count = 0; count < 3; count += 1) {
      await ask();
      await batchLeaves();
    }
    expect(started).toHaveLength(3);
    expect(warnings()).toEqual(["The inbox could not be opened in a browser: xdg-open cannot be run; `askbox doctor` says how to fix it."]);
  });

  test("whose opener fails is tried again, and the log never contains the link", async () => {
    const { ask, started, warnings, log, batchLeaves } = await scene({ mode: "browser", react: () => ({ ending: exited(3) }) });
    for (let count = 0; count < 2; count += 1) {
      await ask();
      await batchLeaves();
    }
    expect(started).toHaveLength(2);
    expect(warnings()).toEqual(["xdg-open could not open the inbox in a browser; `askbox open` prints its link."]);
    expect(JSON.stringify(log)).not.toContain("once=");
  });

  test("is not opened without a link, which is tried again with the next question", async () => {
    let fails = true;
    const inboxLink = async () => {
      if (fails) throw new Error("no login");
      return link;
    };
    const { ask, started, warnings, batchLeaves } = await scene({ mode: "browser", inboxLink });
    await ask();
    await batchLeaves();
    expect(started).toHaveLength(0);
    expect(warnings()).toEqual(["The inbox could not be opened in a browser, since no link to it could be made."]);
    fails = false;
    await ask();
    await batchLeaves();
    expect(started).toHaveLength(1);
  });
});
