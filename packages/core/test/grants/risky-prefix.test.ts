import { expect, test } from "vitest";
import { prefixRisk } from "../../src/grants/index.ts";

test.each([
  ["bash", "runs-code"],
  ["/usr/bin/python3.12 -c", "runs-code"],
  ["Node.EXE", "runs-code"],
  ["'sh' -c", "runs-code"],
  ["cmd /c", "runs-code"],
  ["sudo npm test", "runs-programs"],
  ["env", "runs-programs"],
  ["find src", "runs-programs"],
  ["rm -rf dist", "removes"],
])("a grant for everything that begins with %s is risky: %s", (prefix, risk) => {
  expect(prefixRisk(prefix)?.risk).toBe(risk);
});

test.each(["npm test", "git status", "node build.js", "bash scripts/test.sh", "rmdirs", "a && rm", "7"])("%s is not", (prefix) => {
  expect(prefixRisk(prefix)).toBeUndefined();
});
