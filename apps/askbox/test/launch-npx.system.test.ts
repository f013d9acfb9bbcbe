import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { clientLaunch } from "../src/client/launch.ts";
import { version } from "../src/version.ts";

/** A package called askbox whose command says whose it is, and where it runs. */
function writePackage(folder: string, whose: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "askbox", version, bin: { askbox: "askbox.js" } }));
  const says = `#!/usr/bin/env node\nconsole.log(${JSON.stringify(whose)}, process.cwd(), ...process.argv.slice(2));\n`;
  writeFileSync(join(folder, "askbox.js"), says, { mode: 0o755 });
}

/** A registry that has one version of askbox. */
async function serveRegistry(tarball: Buffer) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (url.endsWith(".tgz")) return void response.end(tarball);
    const dist = { tarball: `${address}askbox.tgz` };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        name: "askbox",
        "dist-tags": {},
        versions: { [version]: { name: "askbox", version, bin: { askbox: "askbox.js" }, dist } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { address, asked };
}

test.skipIf(process.platform === "win32")(
  "what npx starts in a project is neither the project's package nor from its registry",
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "askbox-npx-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
    const [home, project, bin] = ["home", "project", "bin"].map((name) => join(root, name)) as [string, string, string];
    for (const folder of [home, project, bin]) mkdirSync(folder);
    const [node = "", npx = ""] = ["node", "npx"].map((name) => execFileSync("which", [name], { encoding: "utf8" }).trim());
    for (const program of [node, npx]) symlinkSync(realpathSync(program), join(bin, program === npx ? "npx" : "node"));
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: home,
      npm_config_cache: join(root, "cache"),
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
    };

    writePackage(join(root, "published"), "published");
    execFileSync(join(dirname(realpathSync(npx)), "npm-cli.js"), ["pack", "--pack-destination", root, join(root, "published")], {
      env,
      cwd: root,
      stdio: "ignore",
    });
    const [registry, projects] = [
      await serveRegistry(readFileSync(join(root, `askbox-${version}.tgz`))),
      await serveRegistry(Buffer.alloc(0)),
    ];
    writeFileSync(join(home, ".npmrc"), `registry=${registry.address}\n`);
    writeFileSync(join(project, ".npmrc"), `registry=${projects.address}\n`);
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "theirs", dependencies: { askbox: version } }));
    writePackage(join(project, "node_modules", "askbox"), "the project's");
    mkdirSync(join(project, "node_modules", ".bin"));
    symlinkSync("../askbox/askbox.js", join(project, "node_modules", ".bin", "askbox"));

    const script = join(root, "_npx", "a1b2", "node_modules", "askbox", "bin", "askbox.js");
    const host = { execPath: process.execPath, execArgv: [], argv: [process.execPath, script], platform: process.platform, env, home };
    const [program = "", ...args] = clientLaunch({ ...host, nodeVersion: () => "v24.0.0" });
    const { stdout } = await promisify(execFile)(program, [...args, "mcp"], { cwd: project, env });
    expect(stdout).toBe(`published ${project} mcp\n`);
    expect(projects.asked).toEqual([]);
    expect(registry.asked).toContain("/askbox.tgz");
  },
);
