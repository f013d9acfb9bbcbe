import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Home, Running } from "../../command/support/home.ts";
import { until } from "../../support/until.ts";

const toy = fileURLToPath(new URL("toy-agent.mjs", import.meta.url));

/** The toy agent's command line. */
export const toyAgent = [process.execPath, toy];

// biome-ignore lint/suspicious/noExplicitAny: whatever an agent sends
type Message = any;

/** A toy editor in raw JSON lines, with the toy agent behind `askbox acp`. */
export interface Editor {
  running: Running;
  /** All that it was sent, in order. */
  received: Message[];
  /** The same, as it came. */
  raw(): string;
  send(message: object | string): void;
  /** Sends a request and resolves with its response. */
  request(method: string, params?: object): Promise<Message>;
  /** Opens the session and sends a prompt, whose response it doesn't wait for. */
  prompt(text: string): Promise<Message>;
  /** Waits until the agent has asked this often. */
  asked(count?: number): Promise<Message[]>;
  /** What the agent has received, a line each. */
  agentGot(): Message[];
  said(): string;
}

export async function openEditor(
  home: Home,
  flags: readonly string[] = [],
  {
    env = {},
    capabilities = {},
    agent = toyAgent,
    start,
  }: { env?: Record<string, string>; capabilities?: object; agent?: readonly string[]; start?: readonly string[] } = {},
): Promise<Editor> {
  const log = join(home.path, `toy-${Math.random()}.log`);
  const running = home.start(start?.slice(2) ?? ["acp", ...flags, "--", ...agent], { env: { TOY_LOG: log, ...env } });
  const received: Message[] = [];
  let raw = "";
  let rest = "";
  running.child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) received.push(JSON.parse(line));
  });
  let lastId = 100;
  const editor: Editor = {
    running,
    received,
    raw: () => raw,
    send: (message) =>
      void running.child.stdin.write(typeof message === "string" ? message : `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    async request(method, params = {}) {
      lastId += 1;
      const id = lastId;
      editor.send({ id, method, params });
      return until(`${method} is answered`, () => received.find((each) => each.id === id && each.method === undefined));
    },
    async prompt(text) {
      return editor.request("session/prompt", { sessionId: "ses_1", prompt: [{ type: "text", text }] });
    },
    asked: (count = 1) =>
      until(`the editor was asked ${count} times`, () => {
        const asks = received.filter(({ id, method }) => id !== undefined && method !== undefined);
        return asks.length >= count && asks;
      }),
    agentGot: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    said: () => received.flatMap(({ params }) => params?.update?.content?.text ?? []).join(""),
  };
  await editor.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: "toy", title: "Toy editor", version: "1" },
  });
  await editor.request("session/new", { cwd: home.path, mcpServers: [] });
  return editor;
}

export const picked = (id: number, optionId: string) => ({ id, result: { outcome: { outcome: "selected", optionId } } });
export const outcome = (optionId: string) => JSON.stringify({ outcome: "selected", optionId });
