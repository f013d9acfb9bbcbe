import { testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { defaultAttention, openInBrowser } from "../src/index.ts";
import { exited, missing, type Reaction, recordingRunner, scene } from "./support/scene.ts";

const link = "http://127.0.0.1:4141/login?once=1&to=inbox";

describe("the browser", () => {
  // promise: attention-browser-while-closed
  test.each([
    ["linux", { DISPLAY: ":0" }, "xdg-open", [link]],
    ["darwin", {}, "/usr/bin/open", [link]],
    ["win32", {}, "rundll32.exe", ["url.dll,FileProtocolHandler", link]],
    ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, "wslview", [link]],
  ] as const)("is opened on %s with %o by %s, without a shell", async (platform, env, program, args) => {
    const { announce, started } = await scene({ mode: "browser", platform, env });
    await announce();
    expect(started).toHaveLength(1);
    expect(started[0]?.request).toMatchObject({ program, args, outlives: true });
    expect(started[0]?.request.shell).toBeUndefined();
  });

  // promise: attention-browser-while-closed
  test("is opened again with a question that comes, or is still unseen, while no page is open, and once while one starts", async () => {
    const { announce, clock, links, somebody, started } = await scene({ mode: "browser" });
    for (let count = 0; count < 3; count += 1) await announce();
    expect(started).toHaveLength(1);
    somebody.page = true;
    await clock.advance(300_000);
    expect(started).toHaveLength(1);
    somebody.page = false;
    await announce();
    expect(started).toHaveLength(2);
    await clock.advance(151_500);
    expect(started).toHaveLength(3);
    expect(links.made).toBe(3);
  });

  test("is opened by the next opener if the first is missing", async () => {
    const { announce, started, warnings } = await scene({
      mode: "browser",
      env: { WSL_DISTRO_NAME: "Ubuntu" },
      react: ({ program }) => (program === "wslview" ? { ending: missing } : undefined),
    });
    await announce();
    expect(started.map(({ request }) => request.program)).toEqual(["wslview", "rundll32.exe"]);
    expect(warnings()).toEqual([]);
  });

  test("is opened with the next question if it failed with this one", async () => {
    let fails = true;
    const react = () => (fails ? { ending: exited(3) } : undefined);
    const inboxLink = () => (fails ? Promise.reject(new Error("no login")) : Promise.resolve(link));
    for (const broken of [{ react }, { inboxLink }, { react: () => (fails ? { ending: missing } : undefined) }]) {
      fails = true;
      const { announce, started } = await scene({ mode: "browser", ...broken });
      await announce();
      fails = false;
      const before = started.length;
      for (let count = 0; count < 2; count += 1) {
        await announce();
      }
      expect(started).toHaveLength(before + 1);
    }
  });
});

function opening(react: (program: string) => Reaction | undefined, env: Record<string, string> = { DISPLAY: ":0" }) {
  const { clock } = testPlatform();
  const { run, started } = recordingRunner(({ program }) => react(program));
  const opened = openInBrowser(link, { env, platform: "linux", clock, run });
  return { clock, started, opened };
}

describe("opening a page on demand", () => {
  test("passes the link as one argument to the system's opener, which outlives this process", async () => {
    const { opened, started } = opening(() => ({ ending: exited(0) }));
    expect(await opened).toBe(true);
    expect(started.map(({ request }) => [request.program, request.args, request.outlives])).toEqual([["xdg-open", [link], true]]);
  });

  test("treats an opener that keeps running as the browser, and leaves it alone", async () => {
    const { opened, started, clock } = opening(() => "stays");
    await clock.advance(1_500);
    expect(await opened).toBe(true);
    expect(started[0]?.stopped).toBe(false);
  });

  test("tries the next opener if one is missing or fails", async () => {
    const { opened, started } = opening(
      (program) => ({ ending: program === "wslview" ? missing : exited(program === "xdg-open" ? 0 : 4) }),
      {
        WSL_DISTRO_NAME: "Ubuntu",
      },
    );
    expect(await opened).toBe(true);
    expect(started.map(({ request }) => request.program)).toEqual(["wslview", "rundll32.exe", "xdg-open"]);
  });

  test("reports that nothing here can open it", async () => {
    expect(await opening(() => ({ ending: exited(3) })).opened).toBe(false);
    expect(await opening(() => ({ ending: missing })).opened).toBe(false);
  });

  test("is not tried over SSH", async () => {
    const { opened, started } = opening(() => undefined, { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22", DISPLAY: ":0" });
    expect(await opened).toBe(false);
    expect(started).toEqual([]);
  });
});

describe("the default attention mode", () => {
  // promise: attention-browser-while-closed
  test.each([
    ["darwin", {}, "browser"],
    ["win32", {}, "browser"],
    ["linux", { DISPLAY: ":0" }, "browser"],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, "browser"],
    ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, "browser"],
    ["linux", {}, "none"],
    ["linux", { DISPLAY: "" }, "none"],
    ["linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "none"],
    ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "none"],
    ["win32", { SSH_CLIENT: "10.0.0.1 1 22" }, "none"],
    ["linux", { WSL_DISTRO_NAME: "Ubuntu", SSH_TTY: "/dev/pts/0" }, "none"],
    ["freebsd", { DISPLAY: ":0" }, "browser"],
  ] as const)("on %s with %o is %s", (platform, env, mode) => {
    expect(defaultAttention({ env, platform })).toBe(mode);
  });
});
