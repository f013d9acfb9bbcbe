import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { belongsTo, temporaryHome } from "./support.ts";

test("cleaning up a test's home ends only processes that were started for it", async () => {
  const home = temporaryHome();
  const start = async (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { env, stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    return child.pid ?? 0;
  };
  const own = await start({ ...process.env, ASKBOX_HOME: home.folder });
  const other = await start({ ...process.env, ASKBOX_HOME: `${home.folder}-2` });
  expect([own, other, process.pid, process.ppid].map((pid) => belongsTo(home.folder, pid))).toEqual([
    ...[true, process.platform === "win32"],
    ...[false, false],
  ]);
});
