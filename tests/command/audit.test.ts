import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** Three decisions, each about a different command. */
async function decide(): Promise<void> {
  for (const name of ["one", "two", "three"]) {
    const questions = [{ question: "May it?", type: "approval", action: { kind: "command", command: `make ${name}` } }];
    const asking = home.start(["ask", "--file", "-", "--json"], { stdin: JSON.stringify({ questions }) });
    const [, id = ""] = await asking.says(/askbox deny (\w+)/);
    expect(await home.run(["deny", id, `Not ${name}`])).toMatchObject({ code: 0 });
    expect((await asking.done).code).toBe(0);
  }
}

describe("askbox audit", () => {
  test("exports the decisions as JSON lines, and detects changed or removed ones", async () => {
    await home.serve();
    expect((await home.run(["audit", "verify"])).stdout).toBe("The record is empty: nothing has been decided yet.\n");
    await decide();
    const { stdout } = await home.run(["audit", "export"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      ["one", "two", "three"].map((name, index) => ({
        number: index + 1,
        questions: [{ action: { command: `make ${name}` } }],
        outcome: { by: { surface: "cli" }, answers: [{ values: ["deny"], customText: `Not ${name}` }] },
      })),
    );
    const { hash } = JSON.parse(lines[2] ?? "") as { hash: string };
    const whole = { code: 0, stdout: `The record is intact, from entry 1 to entry 3.\nhead: ${hash}\n` };
    expect(await home.run(["audit", "verify"])).toMatchObject(whole);
    expect(await home.run(["audit", "verify", "--head", hash])).toMatchObject(whole);

    const file = join(home.path, "decisions.jsonl");
    const verify = async (text: string, ...flags: string[]) => {
      writeFileSync(file, text);
      return home.run(["audit", "verify", file, ...flags]);
    };
    expect(await verify(stdout)).toMatchObject(whole);
    expect(await verify(stdout.replaceAll("\n", "\r\n"))).toMatchObject(whole);
    expect(await verify(stdout.replace("make two", "make off"))).toMatchObject({
      code: 1,
      stdout: "Line 2, entry 2, was changed: its hash doesn't match it.\n",
    });
    expect(await verify(`${lines[0]}\n${lines[2]}\n`)).toMatchObject({
      code: 1,
      stdout: "Before line 2, an entry is missing: entry 3 comes after entry 1.\n",
    });
    expect(await verify(`${lines[0]}\n${lines[1]}\n`, "--head", hash)).toMatchObject({
      code: 1,
      stdout: `No entry has the hash ${hash}: it was removed, or the record was rewritten.\n`,
    });
    expect((await verify(`${lines[1]}\n${lines[2]}`)).stdout).toContain(
      "from entry 2 to entry 3. Earlier entries have expired or were removed.",
    );
  });

  test("rejects an invalid hash, and a file that can't be read", async () => {
    expect(await home.run(["audit", "verify", "--head", "abc"])).toMatchObject({ code: 2, stderr: expect.stringContaining("64 hex") });
    const missing = join(home.path, "missing.jsonl");
    expect(await home.run(["audit", "verify", missing])).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be read") });
  });
});
