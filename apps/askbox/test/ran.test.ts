import { aRan } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { type Inbox, openInbox } from "./support/inbox.ts";

async function withThree(): Promise<Inbox> {
  const inbox = await openInbox();
  const { ran, clock } = inbox;
  const claude = { client: "claude-code", tool: "Bash", project: "/home/ada/engine" } as const;
  await ran.add([
    aRan(clock.now(), { ...claude, what: "npm test", by: { kind: "grant", name: "k3f9" } }),
    aRan(clock.now(), { ...claude, what: "rm -rf \u001b[31mbuild\n  --force", reach: ["deletes"], by: { kind: "rule", name: "default" } }),
  ]);
  await clock.advance(120_000);
  const by = { kind: "model", name: "auto mode" } as const;
  await ran.add([aRan(clock.now(), { ...claude, what: "curl https://example.com", reach: ["network", "writes"], by, failed: true })]);
  return inbox;
}

test("askbox ran lists what ran without a person, newest first, with what it reaches and who let it", async () => {
  const inbox = await withThree();
  expect(await inbox.run(["ran"])).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      "just now    Bash: curl https://example.com",
      "            network · writes · failed · engine · let by Claude Code's auto mode",
      "2 min ago   Bash: rm -rf ⟨U+001B⟩[31mbuild --force",
      "            deletes · engine · let by a rule of Claude Code",
      "2 min ago   Bash: npm test",
      "            engine · let by the grant k3f9",
      "",
    ].join("\n"),
  });
});

test("askbox ran narrows the list, and says if there are more", async () => {
  const inbox = await withThree();
  const whatOf = async (...args: string[]) =>
    (JSON.parse((await inbox.run(["ran", "--json", ...args])).stdout) as { what: string }[]).map(({ what }) => what);
  expect(await whatOf("--reach", "network")).toEqual(["curl https://example.com"]);
  expect(await whatOf("--by", "grant")).toEqual(["npm test"]);
  expect(await whatOf("--search", "NPM engine")).toEqual(["npm test"]);
  expect(await inbox.run(["ran", "--limit", "1", "--json"])).toMatchObject({
    code: 0,
    stderr: "There are more than 1; raise --limit to see them.\n",
  });
  expect(await whatOf("--limit", "2")).toHaveLength(2);
  expect((await inbox.run(["ran", "--search", "nothing"])).stdout).toBe("Nothing to show.\n");
  expect((await inbox.run(["ran", "--reach", "moon"])).code).toBe(2);
});

test("askbox ran says how to turn it on, and is only for people", async () => {
  const inbox = await openInbox();
  const off = await inbox.run(["ran"], { keepsNothing: true });
  expect(off).toMatchObject({ code: 0, stdout: "" });
  expect(off.stderr).toContain("`askbox config set ran 7d` turns that on");
  expect(await inbox.run(["ran"], { agent: "Claude Code" })).toMatchObject({ stdout: "", stderr: expect.stringContaining("Claude Code") });
});
