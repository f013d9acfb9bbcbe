import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** An editor that runs a line of a shell on the file `$1`. */
async function editor(line: string): Promise<{ EDITOR: string }> {
  const path = join(home.path, "editor");
  await writeFile(path, `#!/bin/sh\n${line}\n`);
  await chmod(path, 0o700);
  return { EDITOR: `'${path}'` };
}

async function asked(): Promise<string> {
  await home.serve();
  const asking = home.start(["ask", "--file", "-"]);
  asking.child.stdin.end(JSON.stringify({ questions: [{ id: "q", type: "review", question: "Right?", document: "# Plan\n\nDrop it." }] }));
  return (await home.pending()).id;
}

const decide = `sed -i 's/^decision: /decision: request changes/; s/^Drop it\\.$/Drop it.\\n>> Keep it./' "$1"`;

test("a review is written in $EDITOR in a private file: an editor that fails keeps it, the next one goes on, and it is sent once", async () => {
  const id = await asked();
  const path = join(home.path, "edits", `${id}-1.md`);
  const failed = await home.spawn(["answer", id, "--edit"], { env: await editor(`${decide}; exit 3`) });
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(`What you wrote is kept in ${path}`) });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).toContain(">> Keep it.");

  const left = await home.spawn(["answer", id, "--edit"], { env: await editor("true") });
  expect(left.code).toBe(1);
  expect(left.stderr).toContain(`Going on with what you wrote before, in ${path}.`);
  expect(left.stderr).toContain("Nothing was changed, so nothing was sent.");

  // Saved as it is.
  const sent = await home.spawn(["answer", id, "--edit"], { env: await editor(`touch -d 2031-01-01 "$1"`) });
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("Request changes") });
  expect(await readdir(join(home.path, "edits"))).toEqual([]);
  const { stdout } = await home.run(["show", id, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: { answers: [{ values: ["request_changes"], comments: [{ line: 3, text: "Keep it." }] }] },
  });
});

test("a killed command loses nothing that was written", async () => {
  const id = await asked();
  const killed = home.start(["answer", id, "--edit"], { env: await editor(`${decide}; echo written; read _`) });
  await killed.says(/written/);
  killed.child.kill("SIGKILL");
  killed.child.stdin.end();
  expect((await killed.done).code).toBe("SIGKILL");
  const sent = await home.spawn(["answer", id, "--edit"], { env: await editor(`touch -d 2031-01-01 "$1"`) });
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("Request changes") });
});
