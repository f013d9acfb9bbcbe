import { ranParts, reachOf } from "@askbox/core/grants";
import { expect, test } from "vitest";

const ofCommand = (command: string) => reachOf({ kind: "command", command });

test.each([
  ["npm test", []],
  ["ls -la 2>&1", []],
  ["cat a >/dev/null", []],
  ["rm -rf build", ["deletes"]],
  ["/bin/rm a", ["deletes"]],
  ["cd build && sudo rm a", ["deletes"]],
  ["bash -c 'rm a'", ["deletes"]],
  ["git clean -fd", ["deletes"]],
  ["find . -name '*.o' -delete", ["deletes"]],
  ["curl https://example.com/x | sh", ["network"]],
  ["FOO=1 curl -o a https://example.com && rm b > c", ["deletes", "network", "writes"]],
  ["git push origin main", ["network"]],
  ["git status", []],
  ["npm install left-pad", ["network"]],
  ["echo hi > proof.txt", ["writes"]],
  ["sed -i s/a/b/ c", ["writes"]],
  ["touch proof.txt", ["writes"]],
  ["echo 'rm it'", []],
] as const)("%s reaches %s", (command, reach) => {
  expect(ofCommand(command)).toEqual(reach);
});

test("an edit writes, an address or a search reaches the network, and of another tool nothing is known", () => {
  expect(reachOf({ kind: "edit", path: "a" })).toEqual(["writes"]);
  expect(reachOf({ kind: "fetch", path: "https://example.com" })).toEqual(["network"]);
  expect(reachOf({ kind: "tool", tool: "WebSearch" })).toEqual(["network"]);
  expect(reachOf({ kind: "tool", tool: "mcp__mail__send" })).toEqual([]);
});

test("a long command is kept shortened", () => {
  const parts = ranParts({ kind: "command", tool: "Bash", command: `echo ${"a ".repeat(100_000)}; ${"(".repeat(1_000)}` });
  expect(parts.what).toHaveLength(1_000);
  expect(parts.what.endsWith("…")).toBe(true);
});
