import { silentLog } from "@askbox/core";
import { expect, test } from "vitest";
import { defaultTimeout, usableEnvironment } from "../src/environment.ts";
import { checkFlags, type StdioServerFlags } from "../src/options.ts";

test.each<[StdioServerFlags, RegExp]>([
  [
    { tools: ["ask_usr"] },
    /--tools: there is no tool "ask_usr"; choose from ask_user, cn_ask_user, ask_user_questions, ask_human, interactive_feedback, zhi, request_user_input, plan_review, walkthrough_review\./,
  ],
  [{ tools: [] }, /--tools: name at least one/],
  [{ timeout: 9_999 }, /--timeout: give a whole number of milliseconds from 10000 to 1800000\./],
  [{ maxWait: -1 }, /--max-wait: give a number of seconds from 0/],
  [{ onCancel: "never" as "keep" }, /--on-cancel: choose keep or withdraw\./],
])("the flags %j are rejected with a sentence", (flags, sentence) => {
  expect(checkFlags(flags)).toMatch(sentence);
});

// promise: timeout-setting
test.each<[Record<string, string>, number]>([
  [{ ASKBOX_TIMEOUT: "30000" }, 30_000],
  [{ CN_MCP_TIMEOUT: "40000" }, 40_000],
  [{ ASKBOX_TIMEOUT: "30000", CN_MCP_TIMEOUT: "40000" }, 30_000],
  [{ ASKBOX_TIMEOUT: "soon", CN_MCP_TIMEOUT: "40000" }, 40_000],
])("without a flag, the timeout comes from the environment: %j is %i ms", async (env, expected) => {
  expect(await defaultTimeout(undefined, usableEnvironment(env).env, silentLog)).toBe(expected);
});

test.each([
  ["CN_MCP_TIMEOUT", "1e5"],
  ["CN_MCP_TIMEOUT", "+60000"],
  ["ASKBOX_TIMEOUT", "0x7530"],
  ["ASKBOX_TIMEOUT", "5000"],
  ["ASKBOX_DEBUG", "TRUE"],
  ["CN_MCP_DEBUG", "yes"],
])("%s=%s is ignored with a sentence", (name, text) => {
  expect(usableEnvironment({ [name]: text, OTHER: "x" })).toEqual({
    env: { OTHER: "x" },
    ignored: [expect.stringMatching(new RegExp(`^${name} is not .*; it is ignored$`))],
  });
});

test.each([" 60000 ", "60000.0"])("a timeout of %j is read as the config reads it", (text) => {
  expect(usableEnvironment({ CN_MCP_TIMEOUT: text }).ignored).toEqual([]);
});
