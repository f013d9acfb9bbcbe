import { describe, expect, test } from "vitest";
import { defaultAttention } from "../src/index.ts";

describe("the default attention mode", () => {
  // promise: attention-browser-once
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
