import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome, program } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
  // By a name without slashes, as on a user's PATH.
  await writeFile(join(home.path, "askbox"), `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`, { mode: 0o755 });
});
afterEach(() => home.close());

const has = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const env = () => ({ PATH: `${home.path}:${process.env["PATH"]}`, HOME: home.path, ASKBOX_HOME: home.path });

/** What bash would offer on Tab after this line. */
async function inBash(...words: string[]): Promise<string[]> {
  const script = [
    (await home.run(["completion", "bash"])).stdout,
    `COMP_WORDS=(${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")})`,
    `COMP_CWORD=${words.length - 1}`,
    "_askbox",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash syntax.
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join("\n");
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", script], { env: env(), cwd: home.path, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe.runIf(has("bash"))("in bash", { meta: { needs: "bash" } }, () => {
  test("commands, flags, values, files and ids are completed", async () => {
    expect(await inBash("askbox", "exte")).toEqual(["extend"]);
    expect(await inBash("askbox", "list", "--status", "=", "p")).toEqual(["pending"]);
    await writeFile(join(home.path, "my questions.json"), "{}");
    expect(await inBash("askbox", "ask", "--file", "my")).toEqual(["my questions.json"]);
    const asked = home.start(["ask", "Go?", "--type", "confirm"]);
    const [, id = ""] = await asked.says(/Asked as (\w{8})/);
    expect(await inBash("askbox", "answer", "")).toEqual([id]);
    expect(await inBash("askbox", "answer", id, "")).toEqual(["yes", "no"]);
  });

  test("partial input is never executed", async () => {
    expect(await inBash("askbox", "ask", "$(touch ran)", "`touch ran`", "--ty")).toEqual(["--type"]);
    expect(spawnSync("ls", { cwd: home.path, encoding: "utf8" }).stdout).not.toContain("ran");
  });

  test("the script can be sourced again, and in strict shells", () => {
    const { status, stderr } = spawnSync("bash", ["--norc", "-euc", 'eval "$(askbox completion bash)"; eval "$(askbox completion bash)"'], {
      env: env(),
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  });
});

describe.runIf(has("zsh"))("in zsh", { meta: { needs: "zsh" } }, () => {
  test("commands are completed", () => {
    const script = `autoload -Uz compinit; compinit -D; eval "$(askbox completion zsh)"
      _describe() { print -l -- "\${(@P)2}" }; _files() { print files }
      words=(askbox exte); CURRENT=2; _askbox
      words=(askbox ask --file ''); CURRENT=4; _askbox`;
    const { stdout, stderr } = spawnSync("zsh", ["-fc", script], { env: env(), encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["extend:Give questions more time\nfiles\n", ""]);
  });
});

describe.runIf(has("fish"))("in fish", { meta: { needs: "fish" } }, () => {
  test("commands are completed", () => {
    const script = 'askbox completion fish | source; complete -C "askbox exte"';
    const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], { env: env(), encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["extend\tGive questions more time\n", ""]);
  });
});

test("an unknown shell is rejected with the known ones", async () => {
  expect(await home.run(["completion", "tcsh"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/bash, zsh, fish/) });
});
