import { expect, test } from "vitest";
import { startSafely } from "../src/start-safely.ts";

function started(env: Record<string, string>, chdir: (folder: string) => void = () => {}) {
  const host = { env: { ...env }, platform: "linux", chdir };
  startSafely(host as unknown as NodeJS.Process);
  return host.env;
}

test("no relative folder of the PATH is searched", () => {
  expect(started({ PATH: ":.:node_modules/.bin:/usr/bin:./bin:/bin" })).toEqual({ PATH: "/usr/bin:/bin" });
  // Empty, it would mean the working folder.
  for (const PATH of [".:node_modules/.bin", ""]) expect(started({ PATH })).toEqual({});
});

test("after npx of a plugin, it works where the plugin was started, or stays if that is gone", () => {
  const went: string[] = [];
  expect(started({ ASKBOX_STARTED_IN: "/home/ada/engine" }, (folder) => void went.push(folder))).toEqual({});
  expect(went).toEqual(["/home/ada/engine"]);
  const gone = () => {
    throw new Error("ENOENT");
  };
  expect(started({ ASKBOX_STARTED_IN: "/gone" }, gone)).toEqual({});
});
