import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientLaunch, type LaunchHost } from "../src/client/launch.ts";
import { version } from "../src/version.ts";

/** A machine with these programs, one of which is askbox. */
function machine(script: string, programs: readonly string[], { node = "v24.1.0", link }: { node?: string; link?: string } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "askbox-launch-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const program of [script, ...programs]) {
    mkdirSync(dirname(join(root, program)), { recursive: true });
    writeFileSync(join(root, program), "");
    chmodSync(join(root, program), 0o755);
  }
  if (link !== undefined) symlinkSync(join(root, script), join(root, link));
  const host: LaunchHost = {
    execPath: "/running/node",
    execArgv: [],
    argv: ["/running/node", join(root, link ?? script)],
    platform: "linux",
    env: { PATH: join(root, "bin") },
    home: "/home/ada",
    nodeVersion: () => node,
  };
  return { host, at: (path: string) => join(root, path) };
}

describe("the command with which a client starts askbox", () => {
  test("is the installed one if the machine's own Node is new enough", () => {
    const { host, at } = machine("lib/node_modules/askbox/bin/askbox.js", ["bin/node"], { link: "bin/askbox" });
    expect(clientLaunch(host)).toEqual([at("bin/askbox")]);
  });

  // promise: node-floor
  test.each(["v20.20.2", "v22.12.0", undefined])("contains the running Node if the machine's own is %s", (node) => {
    const { host, at } = machine("lib/node_modules/askbox/bin/askbox.js", ["bin/node"], { link: "bin/askbox" });
    expect(clientLaunch({ ...host, nodeVersion: () => node })).toEqual(["/running/node", at("bin/askbox")]);
  });

  test("uses npx if npx runs it", () => {
    const { host, at } = machine("cache/_npx/a1b2/node_modules/askbox/bin/askbox.js", ["bin/node", "bin/npx"]);
    expect(clientLaunch(host)).toEqual([at("bin/npx"), "--prefix", "/home/ada", "-y", `askbox@${version}`]);
    expect(clientLaunch({ ...host, nodeVersion: () => "v20.0.0" })).toEqual([
      "/running/node",
      at("cache/_npx/a1b2/node_modules/askbox/bin/askbox.js"),
    ]);
  });

  test("is a workspace's launcher, which uses the workspace's Node", () => {
    const { host, at } = machine("apps/askbox/bin/askbox.js", ["node_modules/.bin/askbox", "node_modules/.bin/node", "bin/node"], {
      node: "v20.0.0",
    });
    expect(clientLaunch(host)).toEqual([at("node_modules/.bin/askbox")]);
  });

  test("keeps the Node options of a run from sources, and contains Node on Windows", () => {
    const { host, at } = machine("apps/askbox/src/main.ts", ["node_modules/.bin/askbox", "node_modules/.bin/node"]);
    expect(clientLaunch({ ...host, execArgv: ["--conditions=askbox-source"] })).toEqual([
      "/running/node",
      "--conditions=askbox-source",
      at("apps/askbox/src/main.ts"),
    ]);
    expect(clientLaunch({ ...host, platform: "win32" })).toEqual(["/running/node", at("apps/askbox/src/main.ts")]);
  });
});
