import type { AskResult } from "@askbox/core";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, onTestFinished } from "vitest";
import { askbox, type FaultHome, faultHome } from "../../faults/support/home.ts";
import { connectClient } from "../../mcp/harness/clients.ts";
import type { AgentClient } from "../../requirements/requirement.ts";
import { connectBrowser } from "../../setup/browser.ts";
import { visit } from "./browser.ts";
import { type Inbox, inboxOf } from "./inbox-of.ts";
import { tellScreens } from "./screens.ts";

/** For the tests of one file: a home with a hub, an agent that asks over stdio, and a browser. */
export function stdioAgent() {
  const [node = "", ...command] = askbox;
  const ends: (() => Promise<unknown>)[] = [];
  let started: { home: FaultHome; inbox: Inbox; agent: AgentClient; browser: Browser };

  beforeAll(async () => {
    const home = faultHome({ onTestFinished: (end) => void ends.push(end) });
    await home.startHub();
    // A busy machine may take longer than a client gets a ticket after.
    const server = {
      command: node,
      args: [...command, "mcp", "--max-wait", "110"],
      env: home.env,
      cwd: home.folder,
      stderr: "ignore" as const,
    };
    const agent = await connectClient("SDK v2, 2026 era", "some-client", new StdioClientTransport(server));
    const browser = await connectBrowser();
    started = { home, inbox: await inboxOf(home), agent, browser };
    ends.unshift(
      () => agent.close(),
      () => browser.close(),
    );
  });
  afterEach(tellScreens);
  afterAll(async () => {
    for (const end of ends) await end();
  });

  return {
    home: () => started.home,
    /** Asks over stdio; resolves with the session's id once it is there, and with the agent's result to come. */
    async ask(input: { questions: readonly object[] }) {
      const asked = await started.inbox.next();
      const call = started.agent.callTool("ask_user", { ...input });
      // The agent may end before there is an answer.
      call.catch(() => {});
      const id = await asked();
      return { id, result: async () => (await call).structuredContent as unknown as AskResult, call };
    },
    /** The inbox in a new context until the test ends, with this session open. */
    async opened(id: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
      const { page, context } = await visit(started.browser, await started.inbox.loginUrl(), options);
      onTestFinished(() => context.close());
      await page.locator(`[data-session="${id}"]`).click();
      return page;
    },
  };
}
