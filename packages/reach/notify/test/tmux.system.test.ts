import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { attentionProblems } from "../src/index.ts";
import { fakeProgram } from "./support/fake-program.ts";
import { scene, temporaryFolder } from "./support/scene.ts";

const soon = { interval: 50 };

/** The test's own tmux server, with a session in it. Needs `tmux` (3.2 or later) and, to attach, `script` from util-linux. */
function tmuxServer() {
  const folder = temporaryFolder();
  const socket = join(folder, "tmux.sock");
  const tmux = (...args: string[]) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).trim();
  tmux("new-session", "-d", "-x", "100", "-y", "30", "sleep 600");
  onTestFinished(() => void tmux("kill-server"));
  const serverPid = tmux("display-message", "-p", "#{pid}");
  const attach = async () => {
    const command = `tmux -S '${socket}' attach`;
    const client = spawn("script", ["-qc", command, "/dev/null"], {
      stdio: ["pipe", "ignore", "ignore"],
      env: { ...process.env, TERM: "xterm" },
    });
    // On SIGTERM it would first wait for the end of a terminal's output.
    onTestFinished(() => void client.kill("SIGKILL"));
    await expect.poll(() => tmux("list-clients"), soon).not.toBe("");
  };
  // A folder without a default server, so that no user's own tmux is used.
  const env = { PATH: process.env["PATH"], TMUX: `${socket},${serverPid},0`, TMUX_TMPDIR: folder };
  return { folder, env, attach };
}

describe("a real tmux", () => {
  test("shows one popup at a time, which runs `askbox --once` without a shell, in the home of the hub", async () => {
    const { folder, env, attach } = tmuxServer();
    await attach();
    const home = join(folder, "a home");
    const askbox = fakeProgram(
      folder,
      "askbox",
      `printf '%s' "$ASKBOX_HOME" >'${folder}/home'\nuntil [ -e '${folder}/answered' ]; do sleep 0.05; done`,
    );
    const { announce, warnings, batchLeaves } = await scene({
      mode: "terminal",
      env: { ...env, ASKBOX_HOME: home },
      askboxCommand: [join(folder, "askbox"), "--project", "$(id) `x`"],
      run: undefined,
    });
    await announce();
    await expect.poll(() => existsSync(join(folder, "home")) && readFileSync(join(folder, "home"), "utf8"), soon).toBe(home);
    await announce();
    expect(askbox.runs()).toEqual([["--project", "$(id) `x`", "--once"]]);

    execFileSync("touch", [join(folder, "answered")]);
    // The held batch is sent one batch interval after the popup has closed.
    await expect
      .poll(async () => {
        await batchLeaves();
        return askbox.runs().length;
      }, soon)
      .toBe(2);
    expect(warnings()).toEqual([]);
    expect(await attentionProblems({ mode: "terminal", settings: {}, env, platform: process.platform })).toEqual([]);
  });

  test("without an attached client shows nothing, which is logged and reported by the doctor", async () => {
    const { env } = tmuxServer();
    const { announce, warnings } = await scene({ mode: "terminal", env, run: undefined });
    await announce();
    await expect
      .poll(warnings, soon)
      .toEqual(["No popup can be shown, since nobody is attached to tmux; `askbox` shows the inbox in any terminal."]);
    expect(await attentionProblems({ mode: "terminal", settings: {}, env, platform: process.platform })).toEqual([
      "Nobody is attached to tmux at the moment: attach a terminal (`tmux attach`) to be shown popups there.",
    ]);
  });
});
