import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { codexSocket, openSocket, ownSocket } from "@askbox/clients/codex-socket";
import type { ClientName } from "@askbox/core/clients";
import { onTestFinished } from "vitest";
import type { Home } from "../../command/support/home.ts";
import { processesOf } from "../../faults/support/processes.ts";
import { until } from "../../support/until.ts";
import type { ScriptedModel } from "./model.ts";

/** The agent's turn in a client. */
interface Turn {
  /** Resolves when the client has given the decision to itself: its own prompt is open, which this answers with no, or it has none and denies. */
  refuseItself(): Promise<void>;
  /** Resolves when the turn is over. */
  over: Promise<void>;
}

/** A coding agent from npm. */
export interface RealClient {
  name: ClientName;
  /** Whether a call over HTTP goes on if the hub was away in the meantime. */
  resumes?: boolean;
  /** Whether only its questions are looked at, not the words of other servers. */
  onlyAsks?: true;
  /** Whether it starts and ends servers as soon as its settings change. */
  followsSettings?: true;
  /** The tools to install for those whose names it drops, by their name. */
  renamed?: Readonly<Record<string, string>>;
  /** Its folder settings, before `askbox install`. */
  configure(home: Home, model: ScriptedModel): void;
  /** Starts a turn without a person, in which the model calls a tool of askbox. Absent for a client that is the same as another in this. */
  ask?(home: Home, model: ScriptedModel, folder: string, env: Record<string, string>, args?: readonly string[]): Turn;
  /** Its approvals; absent if askbox has none for it. */
  approvals?: {
    /** The command of askbox that asks for it. */
    asks: "hook" | "mcp";
    /** Starts a turn in the folder, with these variables in its environment. */
    start(home: Home, model: ScriptedModel, folder: string, env: Record<string, string>): Promise<Turn>;
  };
}

/** Where `pnpm test:clients` has installed the clients. */
export const programs = process.env["ASKBOX_CLIENTS"] ?? missing();

/** Processes of a home that run this command of askbox. */
export const askersOf = (path: string, command: string): number[] =>
  processesOf(path).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(command));

function missing(): never {
  throw new Error("`pnpm test:clients` installs the clients and runs these tests.");
}

const prompt = "Make the proof file.";

const environmentOf = ({ path }: Home) => ({
  PATH: `${programs}:${process.env["PATH"]}`,
  HOME: path,
  ASKBOX_HOME: path,
  ASKBOX_ATTENTION: "none",
  TERM: "xterm-256color",
});

export function run(home: Home, program: string, args: readonly string[], folder: string, env: Record<string, string>): ChildProcess {
  const child = spawn(resolve(programs, program), args, {
    cwd: folder,
    env: { ...environmentOf(home), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr?.resume();
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A run that nobody sits at. */
function headless(home: Home, program: string, args: readonly string[], folder: string, env: Record<string, string>): Turn {
  const child = run(home, program, args, folder, env);
  child.stdin?.end();
  child.stdout?.resume();
  return { over: once(child, "exit").then(() => {}), refuseItself: async () => {} };
}

const claudeEnv = (model: ScriptedModel, env: Record<string, string>) => ({
  ...env,
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: "scripted",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
});

const askClaude: RealClient["ask"] & {} = (home, model, folder, env, args = []) =>
  headless(home, "claude", ["-p", prompt, ...args], folder, claudeEnv(model, env));

export const claudeCode: RealClient & Required<Pick<RealClient, "ask">> = {
  name: "claude-code",
  configure: () => {},
  ask: askClaude,
  approvals: { asks: "hook", start: async (...turn) => askClaude(...turn) },
};

/** Claude Code shows its model all of its own tools, rather than letting it search for them. */
export const allTools = { ENABLE_TOOL_SEARCH: "false" };

let terminals = 0;

/** Claude Code with a person at it: in a terminal of its own, which tmux keeps. */
export function startTerminal(home: Home, model: ScriptedModel, folder: string, args: readonly string[]) {
  const settings = join(home.path, ".claude.json");
  const known = existsSync(settings) ? JSON.parse(readFileSync(settings, "utf8")) : {};
  const projects = { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  const answered = { hasCompletedOnboarding: true, theme: "dark", customApiKeyResponses: { approved: ["scripted"], rejected: [] } };
  write(settings, JSON.stringify({ ...known, ...answered, projects }));
  // A server of its own: one that ends still has its socket for a moment.
  terminals += 1;
  const socket = join(home.path, `tmux-${terminals}`);
  const tmux = (...words: string[]) => execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8" });
  const variables = Object.entries(claudeEnv(model, { ...environmentOf(home), ...allTools })).map(([name, value]) => `${name}=${value}`);
  const window = ["-x", "120", "-y", "50", "-c", folder];
  tmux("-f", "/dev/null", "new-session", "-d", ...window, "env", "-i", ...variables, join(programs, "claude"), ...args);
  const end = () => tmux("kill-server");
  home.whenClosed(async () => {
    try {
      end();
    } catch {
      // The test has ended it.
    }
  });
  return { screen: () => tmux("capture-pane", "-p"), press: (...keys: string[]) => void tmux("send-keys", ...keys), end };
}

function opencodeSettings(model: ScriptedModel): object {
  const scripted = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: `${model.url}/v1`, apiKey: "scripted" },
    // It isn't given pictures otherwise.
    models: { scripted: { attachment: true, modalities: { input: ["text", "image"], output: ["text"] } } },
  };
  return { provider: { scripted }, model: "scripted/scripted", autoupdate: false };
}

const opencode: RealClient = {
  name: "opencode",
  resumes: true,
  configure(home, model) {
    write(join(home.path, ".config", "opencode", "opencode.json"), `${JSON.stringify(opencodeSettings(model), undefined, 2)}\n`);
  },
  ask: (home, _model, folder, env) => headless(home, "opencode", ["run", prompt], folder, env),
  approvals: { asks: "hook", start: startOpencode },
};

async function startOpencode(home: Home, _model: ScriptedModel, folder: string, env: Record<string, string>): Promise<Turn> {
  const child = run(home, "opencode", ["serve", "--hostname", "127.0.0.1", "--port", "0"], folder, env);
  const base = await new Promise<string>((found, ended) => {
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    lines.on("line", (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url !== undefined) found(url);
    });
    child.once("exit", (code) => ended(new Error(`opencode serve ended with ${code}.`)));
  });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base}${path}?directory=${encodeURIComponent(folder)}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const { id } = (await call("POST", "/session", {})) as { id: string };
  const message = { parts: [{ type: "text", text: prompt }], model: { providerID: "scripted", modelID: "scripted" } };
  const over = call("POST", `/session/${id}/message`, message).then(() => {});
  // A test that fails earlier ends the client.
  over.catch(() => {});
  return {
    over,
    async refuseItself() {
      const asked = (await call("GET", "/permission")) as { id: string }[];
      for (const request of asked) await call("POST", `/permission/${request.id}/reply`, { reply: "reject" });
      if (asked.length === 0) throw new Error("OpenCode's own prompt has gone.");
    },
  };
}

interface RpcMessage {
  id?: number;
  method?: string;
  params?: { turn?: unknown };
  result?: { thread?: { id: string } };
}

/** A way to talk to an app-server: a message in each line or frame. */
interface AppServer {
  send(message: object): void;
  onMessage(listener: (message: RpcMessage) => void): void;
}

/** Starts a turn over an app-server, as Codex' own terminal does. */
async function startTurn(server: AppServer, folder: string): Promise<Turn> {
  const seen: RpcMessage[] = [];
  const looks = new Set<() => void>();
  server.onMessage((message) => {
    seen.push(message);
    for (const look of looks) look();
  });
  const message = (holds: (message: RpcMessage) => boolean) =>
    new Promise<RpcMessage>((found) => {
      const look = () => {
        const match = seen.find(holds);
        if (match === undefined) return;
        looks.delete(look);
        found(match);
      };
      looks.add(look);
      look();
    });
  let id = 0;
  const call = (method: string, params: object) => {
    id += 1;
    const mine = id;
    server.send({ id: mine, method, params });
    return message((each) => each.id === mine && each.method === undefined);
  };
  await call("initialize", { clientInfo: { name: "tests", version: "1" }, capabilities: { experimentalApi: true } });
  server.send({ method: "initialized" });
  const { result } = await call("thread/start", { cwd: folder, approvalPolicy: "on-request", sandbox: "workspace-write" });
  const threadId = result?.thread?.id;
  await call("turn/start", { threadId, input: [{ type: "text", text: prompt }] });
  const over = message(({ method }) => method === "turn/completed").then(() => {});
  return {
    over,
    async refuseItself() {
      const request = await message(({ method }) => method === "item/commandExecution/requestApproval");
      server.send({ id: request.id, result: { decision: "decline" } });
    },
  };
}

function configureCodex(home: Home, model: ScriptedModel): void {
  const provider = `[model_providers.scripted]\nname = "scripted"\nbase_url = "${model.url}/v1"\nwire_api = "responses"\n`;
  write(join(home.path, ".codex", "config.toml"), `model = "scripted"\nmodel_provider = "scripted"\n\n${provider}`);
}

/** Without a daemon, so that its hook asks. */
export const codex: RealClient & Required<Pick<RealClient, "ask">> = {
  name: "codex",
  resumes: true,
  configure: configureCodex,
  ask: (home, _model, folder, env) => headless(home, "codex", ["exec", "--skip-git-repo-check", prompt], folder, env),
  approvals: { asks: "hook", start: startCodex },
};

async function startCodex(home: Home, _model: ScriptedModel, folder: string, env: Record<string, string>): Promise<Turn> {
  const child = run(home, "codex", ["app-server"], folder, env);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  return startTurn(
    {
      send: (content) => child.stdin?.write(`${JSON.stringify(content)}\n`),
      onMessage: (listener) => lines.on("line", (line) => listener(JSON.parse(line) as RpcMessage)),
    },
    folder,
  );
}

/** With a daemon, whose socket askbox's server joins. Codex' terminal starts the same one. */
export const codexDaemon: RealClient & Required<Pick<RealClient, "approvals">> = {
  name: "codex",
  configure: configureCodex,
  approvals: { asks: "mcp", start: startCodexDaemon },
};

async function startCodexDaemon(home: Home, _model: ScriptedModel, folder: string, env: Record<string, string>): Promise<Turn> {
  const child = run(home, "codex", ["app-server", "--listen", "unix://"], folder, env);
  child.stdout?.resume();
  const path = codexSocket({ HOME: home.path });
  const channel = await until("Codex' daemon takes connections", async () => {
    const socket = ownSocket(path);
    return socket !== undefined && openSocket(socket).catch(() => undefined);
  });
  onTestFinished(() => channel.close());
  return startTurn(
    {
      send: (content) => channel.send(JSON.stringify(content)),
      onMessage: (listener) => channel.onMessage((text) => listener(JSON.parse(text) as RpcMessage)),
    },
    folder,
  );
}

const geminiCli: RealClient = {
  name: "gemini-cli",
  resumes: true,
  renamed: { ask_user: "cn_ask_user" },
  configure(home) {
    const settings = { security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } };
    write(join(home.path, ".gemini", "settings.json"), `${JSON.stringify(settings, undefined, 2)}\n`);
  },
  ask: (home, model, folder, env, args = []) =>
    headless(home, "gemini", ["--skip-trust", "--model", "gemini-2.5-pro", "--prompt", prompt, ...args], folder, {
      ...env,
      GEMINI_API_KEY: "scripted",
      GOOGLE_GEMINI_BASE_URL: model.url,
    }),
};

/** An agent that speaks ACP, beside the client that it is made of. */
export interface AcpAgent {
  name: string;
  command: readonly string[];
  /** The mode in which it asks. */
  mode?: string;
  configure(home: Home, model: ScriptedModel): void;
  env(model: ScriptedModel): Record<string, string>;
  /** Its own tool for the shell, if the model doesn't know it. */
  shell?: string;
}

export const acpAgents: readonly AcpAgent[] = [
  {
    name: "opencode",
    command: ["opencode", "acp"],
    configure(home, model) {
      opencode.configure(home, model);
      const file = join(home.path, ".config", "opencode", "opencode.json");
      write(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), permission: { bash: "ask", edit: "ask" } }));
    },
    env: () => ({}),
  },
  {
    name: "gemini-cli",
    command: ["gemini", "--acp", "--skip-trust", "--model", "gemini-2.5-pro"],
    configure: geminiCli.configure,
    env: (model) => ({ GEMINI_API_KEY: "scripted", GOOGLE_GEMINI_BASE_URL: model.url }),
    shell: "run_shell_command",
  },
  { name: "claude-code", command: ["claude-agent-acp"], mode: "default", configure: () => {}, env: (model) => claudeEnv(model, {}) },
  { name: "codex", command: ["codex-acp"], mode: "read-only", configure: configureCodex, env: () => ({}) },
  {
    name: "copilot-cli",
    command: ["copilot", "--acp"],
    configure: () => {},
    env: (model) => ({ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`, COPILOT_MODEL: "scripted" }),
  },
];

const askCopilot: RealClient["ask"] & {} = (home, model, folder, env) =>
  headless(home, "copilot", ["-p", prompt], folder, {
    ...env,
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_MODEL: "scripted",
  });

const copilotCli: RealClient = {
  name: "copilot-cli",
  configure: () => {},
  ask: askCopilot,
  approvals: { asks: "hook", start: async (...turn) => askCopilot(...turn) },
};

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** A client of which only questions are seen, with a model that speaks OpenAI's older protocol. */
interface AskingClient extends Pick<RealClient, "name" | "followsSettings"> {
  program: string;
  args: readonly string[];
  env?(model: ScriptedModel): Record<string, string>;
  /** Its settings, by their file in the home. */
  settings(model: ScriptedModel): Record<string, string>;
}

const askingClient = ({ program, args, env, settings, ...client }: AskingClient): RealClient => ({
  ...client,
  onlyAsks: true,
  configure(home, model) {
    for (const [file, text] of Object.entries(settings(model))) write(join(home.path, file), text);
  },
  ask: (home, model, folder, own) => headless(home, program, args, folder, { ...own, ...env?.(model) }),
});

const qwenCode = askingClient({
  name: "qwen-code",
  followsSettings: true,
  program: "qwen",
  args: ["-p", prompt],
  env: ({ url }) => ({ OPENAI_API_KEY: "scripted", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  settings: () => ({
    ".qwen/settings.json": json({ security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false } }),
  }),
});

const kiloCode = askingClient({
  name: "kilo-code",
  program: "kilo",
  args: ["run", prompt],
  settings: (model) => ({ ".config/kilo/kilo.json": json(opencodeSettings(model)) }),
});

const pi = askingClient({
  name: "pi",
  program: "pi",
  args: ["-p", prompt, "--model", "scripted/scripted"],
  env: () => ({ PI_OFFLINE: "1" }),
  settings: ({ url }) => {
    const models = [{ id: "scripted", input: ["text", "image"] }];
    const scripted = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "scripted", models };
    return { ".pi/agent/models.json": json({ providers: { scripted } }) };
  },
});

const cline = askingClient({
  name: "cline",
  program: "cline",
  args: [prompt],
  settings({ url }) {
    const settings = { provider: "openai-compatible", apiKey: "scripted", model: "scripted", baseUrl: `${url}/v1` };
    const providers = { "openai-compatible": { settings, updatedAt: new Date(0).toISOString(), tokenSource: "manual" } };
    return { ".cline/data/settings/providers.json": json({ version: 1, lastUsedProvider: "openai-compatible", modes: {}, providers }) };
  },
});

const kimiCode = askingClient({
  name: "kimi-code",
  program: "kimi",
  args: ["-p", prompt],
  settings: ({ url }) => ({
    ".kimi-code/config.toml": `default_model = "scripted"

[providers.scripted]
type = "openai"
base_url = "${url}/v1"
api_key = "scripted"

[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 200000
capabilities = ["image_in", "tool_use"]
`,
  }),
});

export const realClients: readonly RealClient[] = [
  ...[claudeCode, opencode, codex, codexDaemon, geminiCli],
  ...[copilotCli, qwenCode, kiloCode, pi, cline, kimiCode],
];
