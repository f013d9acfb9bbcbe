import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("a project has one name, whether it is reached by a link, with a slash at its end or by a detour", async () => {
  const folder = realpathSync(temporaryFolder());
  const real = join(folder, "real");
  mkdirSync(real);
  symlinkSync(real, join(folder, "link"));
  for (const name of [real, `${real}/`, join(folder, "link"), `${folder}/link//`, `${folder}/./link/../real`])
    expect(await projectFolder(name)).toBe(real);
});

test("a folder that isn't on this machine keeps its name, but for the slash", async () => {
  expect(await projectFolder("/somewhere/else/")).toBe("/somewhere/else");
});
