import { delimiter, dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openHome } from "../../command/support/home.ts";
import { until } from "../../support/until.ts";
import { type InstalledCommand, installCommand } from "../support/installed-command.ts";
import { newEnough, nodeOf, tooOld } from "../support/nodes.ts";
import { type Published, packedAs } from "../support/published.ts";
import { firstExample } from "../support/readme.ts";
import { mustRun, plainEnvironment, run } from "../support/run.ts";
import { publicPackages } from "../support/workspace.ts";

/** The lines of the README's first example, without their comments. */
function readmeLines(): string[] {
  const [askbox] = publicPackages.filter(({ name }) => name === "askbox");
  const code = askbox === undefined ? "" : firstExample(askbox).code;
  return code
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, ""));
}

export function describeCommand(published: () => Published): void {
  describe("the command from the tarball", () => {
    let installed: InstalledCommand;
    const nodes = new Map<string, string>();
    const addNode = async (version: string) => void nodes.set(version, await nodeOf(version));

    beforeAll(async () => {
      const { tarball } = packedAs("askbox", published());
      installed = await installCommand(tarball, join(published().folder, "prefix"));
      await addNode(tooOld);
    }, 900_000);

    const version = () => packedAs("askbox", published()).published.version;
    const pathOf = (node: string) => [installed.bin, dirname(nodes.get(node) ?? "")];
    /** A home in which `askbox` is the installed one, and runs on this Node: its first line uses the first Node in PATH. */
    const homeOn = async (node: string) => {
      const home = await openHome({ command: [join(installed.bin, "askbox")], path: pathOf(node) });
      onTestFinished(() => home.close());
      return home;
    };

    test("installs at most 40 MB and 60 packages", () => {
      const { packages, bytes } = installed.footprint;
      expect(packages).toBeGreaterThan(0);
      expect(packages).toBeLessThanOrEqual(60);
      expect(bytes / 1_000_000).toBeLessThanOrEqual(40);
    });

    for (const node of newEnough) {
      describe(`on Node ${node}`, () => {
        beforeAll(() => addNode(node), 900_000);

        test("runs with npx", { timeout: 600_000 }, async () => {
          const { tarball } = packedAs("askbox", published());
          const env = {
            ...plainEnvironment,
            PATH: [...pathOf(node).slice(1), process.env["PATH"]].join(delimiter),
            // npx's cache elsewhere may contain another version.
            npm_config_cache: join(published().folder, "npx"),
          };
          const running = await mustRun("node", ["--version"], { env });
          expect(running).toMatch(new RegExp(`^v${node.replace(".", "\\.")}\\.`));
          const said = await mustRun("npx", ["-y", "--prefer-offline", "--package", tarball, "askbox", "--version"], {
            cwd: published().folder,
            env,
          });
          expect(said.trim()).toContain(version());
        });

        test("asks, starts its hub, and accepts an answer from another shell, as in its README", async () => {
          const home = await homeOn(node);
          const [install, ask = "", list = "", answer = ""] = readmeLines();
          expect(install).toBe("npm install --global askbox");
          const asking = home.shell(ask);
          const id = await until("the question waits", async () => {
            const [session] = JSON.parse((await home.run(["list", "--json"])).stdout);
            return session?.id as string | undefined;
          });
          expect((await home.shell(list)).stdout).toContain("Deploy to production?");
          const shortId = id.slice(0, 4);
          expect(await home.shell(answer.replace("k3f9", shortId))).toMatchObject({ code: 0 });
          expect(await asking).toMatchObject({ code: 0, stdout: "yes\n" });
        });

        test("is an MCP server on stdio", async () => {
          const home = await homeOn(node);
          const client = new Client({ name: "a-client", version: "1.0.0" });
          home.whenClosed(() => client.close());
          const PATH = [...pathOf(node), process.env["PATH"]].join(delimiter);
          const env = { PATH, HOME: home.path, ASKBOX_HOME: home.path, ASKBOX_ATTENTION: "none" };
          await client.connect(new StdioClientTransport({ command: join(installed.bin, "askbox"), args: ["mcp"], env, stderr: "ignore" }));
          expect(client.getServerVersion()).toMatchObject({ name: "askbox", version: version() });
          expect((await client.listTools()).tools.map(({ name }) => name)).toContain("ask_user");
        });
      });
    }

    test.each([["--version"], ["mcp"], ["ask"]])(
      `on Node ${tooOld} says in one line that it needs a newer one (askbox %s)`,
      async (argument) => {
        const { code, stdout, stderr } = await run(nodes.get(tooOld) ?? "", [join(installed.bin, "askbox"), argument]);
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toMatch(/^askbox needs Node 22\.13 or newer; this is Node 20\..+\n$/);
        expect(stderr.split("\n")).toHaveLength(2);
      },
    );
  });
}
