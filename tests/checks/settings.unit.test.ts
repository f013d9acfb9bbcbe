import { expect, test } from "vitest";
import { settingProblems } from "./settings.ts";

const schema = { properties: { $schema: {}, port: {}, limits: { properties: { pending: {}, browsers: {} } } } };
const problemsOf = (source: string) => settingProblems(schema, new Map([["a.ts", source]]));

test.each([
  "use(config.port, config.limits.pending, config.limits.browsers)",
  "use(loaded.config?.port); const { limits: { pending, browsers = 1 } } = loadConfig({}).config;",
  "const { port, limits } = await config(env); use({ limits: settings.config.limits }); use(limits.pending, limits.browsers);",
  "function use({ port, limits: { pending, browsers } }: Config) {}",
  "const { port = 0 } = config ?? {}; start({ limits: config.limits }); const { pending, browsers } = given;",
  "const read = ({ config: { port, limits: { pending, browsers } } }) => port;",
])("a setting that is read is fine: %s", (source) => {
  expect(problemsOf(source)).toEqual([]);
});

test.each([
  ["nothing reads it", "use(config.limits.pending, config.limits.browsers)", ["port"]],
  ["something else with its name is read", "use(url.port, config.limits.pending, config.limits.browsers)", ["port"]],
  ["it is only written", "const given = { port: 1 }; use(config.limits.pending, config.limits.browsers)", ["port"]],
  ["its group is passed on, and nobody takes it", "use(config.port, config.limits); use(limits.pending)", ["limits.browsers"]],
  ["another of its group is read", "use(config.port, config.limits.pending)", ["limits.browsers"]],
] as const)("it is told when %s", (_, source, settings) => {
  expect(problemsOf(source)).toEqual(settings.map((name) => expect.stringContaining(`Nothing reads the setting ${name};`)));
});
