import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Harness, ServerSettings } from "../../requirements/requirement.ts";
import { compileCache, program } from "../../setup/programs.ts";
import { until } from "../../support/until.ts";
import { type ClientKind, connectClient } from "./clients.ts";
import { openHub } from "./hub.ts";
import { pendingSessions } from "./inbox.ts";
import { rawAgent } from "./raw-agent.ts";

/** The stdio server as a separate process, with a hub in this one, in real time. */
export function overStdio(kind: ClientKind): Harness {
  const [command, script] = program("stdio-server");
  const closing: (() => Promise<void>)[] = [];

  return {
    name: `stdio, ${kind}`,
    fakeTime: false,
    letPass: async () => {},
    async connect(settings = {}) {
      const { broker, origin, token, askers, close } = await openHub();
      const home = await mkdtemp(join(tmpdir(), "askbox-home-"));
      const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, ASKBOX_HUB: origin, ASKBOX_TOKEN: token, ...compileCache() };
      const serverOf = (flags: ServerSettings) => ({
        command,
        args: [script, JSON.stringify(flags)],
        env,
        cwd: home,
        stderr: "ignore" as const,
      });
      const connectAgent = async ({ clientName = "some-client", ...flags }: ServerSettings) => {
        const server = serverOf(flags);
        const before = askers();
        const transport: Transport =
          kind === "SDK v1" ? (new OldStdioClientTransport(server) as Transport) : new StdioClientTransport(server);
        const agent = await connectClient(kind, clientName, transport);
        closing.unshift(() => agent.close());
        // The first call connects to the hub, which can take longer than so short a wait on a busy machine.
        if (flags.maxWait !== undefined) {
          await until("the server is connected to the hub", async () => {
            await agent.callTool("get_answer", { wait: 0 });
            return askers() > before;
          });
        }
        return agent;
      };
      const raw = async ({ clientName = "some-client", ...flags }: ServerSettings = settings) => {
        const agent = await rawAgent(new StdioClientTransport(serverOf(flags)), clientName);
        closing.unshift(() => agent.close());
        return agent;
      };
      closing.push(async () => {
        await close();
        await rm(home, { recursive: true, force: true });
      });
      const desk = broker.desk({ surface: "cli", name: "ada" });
      const agent = await connectAgent(settings);
      return {
        agent,
        desk,
        agents: broker.agents,
        nextSession: await pendingSessions(desk),
        another: (other = settings) => connectAgent(other),
        raw,
      };
    },
    async close() {
      for (const close of closing.splice(0)) await close();
    },
  };
}
