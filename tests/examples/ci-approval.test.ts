import { spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome, program } from "../command/support/home.ts";
import { until } from "../faults/support/until.ts";

const script = resolve(import.meta.dirname, "../../examples/ci-approval/deploy.sh");
let home: Home;
beforeEach(async () => {
  home = await openHome();
  const command = join(home.path, "askbox");
  await writeFile(command, `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  await chmod(command, 0o755);
});
afterEach(() => home.close());

/** Runs the job as a runner does; a person handles the question with `then`. */
async function deploy(then: (id: string) => Promise<unknown>, env: Record<string, string> = {}) {
  const path = `${home.path}:${process.env["PATH"] ?? ""}`;
  const job = spawn("/bin/sh", [script, "1.4.0", "echo", "deployed"], {
    cwd: home.path,
    env: { PATH: path, HOME: home.path, ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  home.whenClosed(async () => void job.kill("SIGKILL"));
  const said = Promise.all([text(job.stdout), text(job.stderr)]);
  const ended = new Promise<number | null>((resolve_) => job.once("close", resolve_));
  const pending = async () => JSON.parse((await home.run(["list", "--json"])).stdout)[0]?.id as string | undefined;
  await then(await until("the question is there", pending));
  const [stdout, stderr] = await said;
  return { code: await ended, stdout, stderr };
}

test("the job deploys after a yes", async () => {
  expect(await deploy((id) => home.run(["answer", id, "yes"]))).toMatchObject({ code: 0, stdout: "deployed\n" });
});

test("the job does not deploy after a no, or if the question is declined", async () => {
  const refused = await deploy((id) => home.run(["answer", id, "no"]));
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("The answer was no; 1.4.0 is not deployed.") });
  const turnedDown = await deploy((id) => home.run(["cancel", id]));
  expect(turnedDown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Somebody turned the question down") });
});

test("the job does not take a timeout for a yes", async () => {
  const silent = await deploy(async () => {}, { DEPLOY_TIMEOUT: "10000" });
  expect(silent).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("silence is not a yes") });
});
