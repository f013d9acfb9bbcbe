import { expect, test } from "vitest";
import { type Git, redisNeeds } from "../../scripts/redis-needs.ts";

/** A git that answers these commands, by their first words. */
const git =
  (answers: Record<string, string>): Git =>
  (...args) =>
    Object.entries(answers).find(([command]) => args.join(" ").startsWith(command))?.[1];

const onBranch = { "rev-parse HEAD": "aaaa", "merge-base HEAD origin/main": "bbbb", "ls-files": "", "diff --name-only bbbb": "" };
const onMain = {
  ...onBranch,
  "merge-base HEAD origin/main": "aaaa",
  "rev-parse --verify --quiet HEAD~1": "cccc",
  "diff --name-only cccc": "",
};

test.each([
  ["a branch that changed nothing of them leaves them out", onBranch, false],
  ["a change since the branch left main", { ...onBranch, "diff --name-only bbbb": "packages/store-redis/src/index.ts" }, true],
  ["a new file that is not committed", { ...onBranch, "ls-files": "packages/hub/src/shared/new.ts" }, true],
  ["main after a commit about something else leaves them out", onMain, false],
  ["a change in main's last commit", { ...onMain, "diff --name-only cccc": "packages/core/src/broker/waits.ts" }, true],
  ["a clone without history", { ...onMain, "rev-parse --verify --quiet HEAD~1": undefined as never }, true],
  ["a folder without git", {}, true],
])("Redis' own tests: %s", (_, answers, run) => {
  expect(redisNeeds(undefined, git(answers)).run).toBe(run);
});

test("whoever asks for Redis' own tests gets them", () => {
  expect(redisNeeds("--redis", git(onBranch))).toEqual({ run: true, reason: "Redis' own tests run: --redis asks for them." });
});
