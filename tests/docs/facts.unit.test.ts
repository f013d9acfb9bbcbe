import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { homeFiles, homeFolders } from "@askbox/home";
import { expect, test } from "vitest";
import budgets from "../../scripts/budgets.json" with { type: "json" };
import { root } from "./support/generated.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const spans = (text: string) => [...text.matchAll(/`(.+?)`/g)].map(([, span = ""]) => span);

test("the files of the data folder are in the table of Operations", () => {
  const files = homeFiles(homeFolders({ env: { ASKBOX_HOME: "/home" }, platform: "linux" }), "linux");
  const { config, configSchema, log, wakes, ...inData } = files;
  const table = read("docs/operations.md").matchAll(/^\| (`.+?) \|/gm);
  const listed = [...table].flatMap(([, cell = ""]) => spans(cell).map((name) => name.replace(/\/$/, "")));
  expect(listed).toEqual(expect.arrayContaining(Object.values(inData).map((path) => basename(path))));
});

test("the commands that refuse to run in an agent's shell are those that Commands lists", () => {
  const sentence = /^In the shell of an agent that askbox knows, (.+?)\n.*?\.$/ms.exec(read("docs/commands.md"))?.[0] ?? "";
  const listed = spans(sentence.slice(0, sentence.indexOf("`allowAnswerFromAgents`"))).flatMap(
    (command) => /^[a-z]+(?:-[a-z]+)*/.exec(command) ?? [],
  );
  const folder = "apps/askbox/src/commands";
  const refusing = readdirSync(join(root, folder)).filter((name) =>
    /from "\.\.\/(people-only|decide)\.ts"/.test(read(`${folder}/${name}`)),
  );
  expect([...new Set(listed)].sort()).toEqual(refusing.map((name) => basename(name, ".ts")).sort());
});

test("the sizes of the core in a page are its budgets", () => {
  const { sampleKB, pageKB } = budgets.packages["@askbox/core"];
  expect(read("docs/embedding.md")).toContain(`is at most ${sampleKB} KB, and all of it ${pageKB} KB`);
});

test("askbox says what Troubleshooting quotes", () => {
  const sources = globSync("{apps,packages}/*/src/**/*.ts", { cwd: root }).map(read).join("\n");
  const quotes = [...read("docs/troubleshooting.md").matchAll(/^\| (?:[^|]*)"(.+?)" \|/gm)].map(([, quote = ""]) => quote);
  expect(quotes.length).toBeGreaterThan(2);
  expect(quotes.filter((quote) => !sources.includes(quote))).toEqual([]);
});
