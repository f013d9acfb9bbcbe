import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { outcome, toyAgent } from "../acp/support/editor.ts";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";

const script = resolve(import.meta.dirname, "../../examples/ci-approval/deploy.sh");
let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** Runs the job as a runner does, with a line of a shell as `askbox`. */
async function deploy(askbox: string, then?: () => Promise<unknown>) {
  await writeFile(join(home.path, "askbox"), `#!/bin/sh\n${askbox}\n`, { mode: 0o755 });
  const env = { PATH: `${home.path}:${process.env["PATH"] ?? ""}`, HOME: home.path, ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none" };
  const job = spawn("/bin/sh", [script, "1.4.0", "echo", "deployed"], { cwd: home.path, env, stdio: ["ignore", "pipe", "pipe"] });
  home.whenClosed(async () => void job.kill("SIGKILL"));
  const ended = new Promise<number | null>((done) => job.once("close", done));
  await then?.();
  const [stdout, stderr, code] = await Promise.all([text(job.stdout), text(job.stderr), ended]);
  return { code, stdout, stderr };
}

test("the job deploys after a yes", async () => {
  await home.serve();
  const deployed = await deploy(`exec ${program.map((word) => `'${word}'`).join(" ")} "$@"`, async () => {
    await home.run(["answer", (await home.pending()).id, "yes"]);
  });
  expect(deployed).toMatchObject({ code: 0, stdout: "deployed\n" });
});

// The codes of askbox ask, which apps/askbox/test/ask.test.ts verifies.
test.each([
  ["a no", "echo no", "The answer was no"],
  ["a question that is declined", "exit 3", "Somebody turned the question down"],
  ["a timeout", "exit 4", "silence is not a yes"],
  ["a hub that is away", "exit 5", "The hub cannot be reached"],
  ["any other failure", "exit 1", "The question could not be asked"],
])("the job does not take %s for a yes", async (_what, askbox, sentence) => {
  const refused = await deploy(askbox);
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(refused.stderr).toContain("1.4.0 is not deployed.");
});

// promise: acp-run-in-ci
test.each([
  ["allow", 0, outcome("once")],
  ["deny", 0, outcome("no")],
])("the agent of the workflow waits for a person, who says %s", async (value, code, said) => {
  const { only, answer } = await openDesk(home);
  const { jobs } = parse(readFileSync(resolve(import.meta.dirname, "../../examples/ci-approval/agent.yml"), "utf8"));
  const { run, env } = jobs.agent.steps.at(-1);
  expect(Object.keys(env)).toEqual(["TASK", "ASKBOX_HUB", "ASKBOX_TOKEN", "ANTHROPIC_API_KEY"]);
  const word = (text: string) => `'${text}'`;
  const bin = async (name: string, command: readonly string[]) =>
    writeFile(join(home.path, name), `#!/bin/sh\nexec ${command.map(word).join(" ")} "$@"\n`, { mode: 0o755 });
  await Promise.all([bin("askbox", program), bin("claude-agent-acp", toyAgent)]);
  const job = spawn("/bin/sh", ["-e", "-c", run], {
    cwd: home.path,
    env: {
      PATH: `${home.path}:${process.env["PATH"] ?? ""}`,
      HOME: home.path,
      ASKBOX_HOME: home.path,
      ASKBOX_ATTENTION: "none",
      TASK: "run npm test",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  home.whenClosed(async () => void job.kill("SIGKILL"));
  const ended = new Promise<number | null>((done) => job.once("close", done));
  const printed = text(job.stdout);
  await answer(await only("pending"), [value]);
  expect([await ended, (await printed).trim()]).toEqual([code, said]);
});
