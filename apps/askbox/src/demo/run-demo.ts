import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AskboxError, type AskInput, type AskResult, type SessionView } from "@askbox/core";
import { connectHub } from "@askbox/home";
import { runHub } from "@askbox/hub-process";
import { endingNames, outcomeSentences, roundedDuration } from "@askbox/inbox/text";
import { terminalJson } from "@askbox/terminal-text";
import { copyableCommand, shortWord } from "../client/launch.ts";
import { startAgent } from "../client/mcp-agent.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { ownCommand } from "../hub-command.ts";
import type { Io, Output } from "../io.ts";
import { loginLinks } from "../login-link.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { shortId } from "../text/session-names.ts";
import { sessionPage } from "../text/session-page.ts";
import { version } from "../version.ts";
import { webFolder } from "../web-folder.ts";

/*
 * `askbox demo`: a hub in its own folder, an agent without a model that asks over real pipes, and a person who answers from anywhere. However
 * it ends, Ctrl-C included, the agent, the hub and its folder are removed, in this order.
 */

/** Lets an agent ask over real pipes and shows what it receives. Resolves with the exit code of the outcome; Ctrl-C counts as a cancellation. */
export async function runDemo(io: Io, host: NodeJS.Process): Promise<ExitCode> {
  const stopped = Promise.withResolvers<"stopped">();
  const stop = () => stopped.resolve("stopped");
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) host.on(signal, stop);
  const closing: (() => Promise<void> | void)[] = [];
  try {
    const outcome = await Promise.race([stopped.promise, play(io, host, (close) => closing.push(close))]);
    if (outcome === "stopped") {
      await io.stdout.write(`\nStopped, and removed the agent, the hub and its folder.\n${howToGoOn(io, host)}`);
      return exitCodes.cancelled;
    }
    await io.stdout.write(resultText(outcome, paintFor(io.stdout)));
    await io.stdout.write(howToGoOn(io, host));
    return outcome.answered ? exitCodes.done : outcome.cancelled ? exitCodes.cancelled : exitCodes.timed_out;
  } finally {
    // The agent stops first, while its hub still listens.
    for (const close of closing.reverse()) await close();
    for (const signal of signals) host.off(signal, stop);
  }
}

async function play(io: Io, host: NodeJS.Process, whenDone: (close: () => Promise<void> | void) => void): Promise<AskResult> {
  const paint = paintFor(io.stdout);
  const hub = await startDemoHub(io.env, version);
  whenDone(hub.close);
  await io.stdout.write(`A hub is running at ${hub.url}, in its own folder; your own inbox is not affected.\n`);
  const desk = await connectHub({ role: "desk", surface: "cli", agent: { name: "askbox demo", version }, env: hub.env });
  whenDone(() => desk.close());
  const agent = await startAgent({
    name: "demo-agent",
    command: [...ownCommand(host), "mcp", "--max-wait", "1800"],
    env: hub.env,
    version,
  });
  whenDone(agent.close);
  await io.stdout.write("An agent started `askbox mcp` and calls ask_user:\n\n");
  const asked = Promise.withResolvers<SessionView>();
  const watch = await desk.desk.watch({}, (event) => {
    if (event.type === "session") asked.resolve(event.session);
  });
  whenDone(() => watch.close());
  const result = agent.ask(demoQuestions);
  const first = await Promise.race([asked.promise, result]);
  if (!("id" in first)) return first;
  const login = webFolder() === undefined ? undefined : (await loginLinks({ io: { env: hub.env }, globals: {} })).link;
  await io.stdout.write(invitation(first, { io, host, hub, paint, login }));
  const hideTimeLeft = showTimeLeft(io.stdout, first.deadlineAt);
  whenDone(hideTimeLeft);
  return result.finally(hideTimeLeft);
}

interface Occasion {
  io: Io;
  host: NodeJS.Process;
  hub: DemoHub;
  paint: Paint;
  /** A login link for a browser; undefined if the web page has not been built. */
  login: string | undefined;
}

const howToGoOn = (io: Io, host: NodeJS.Process): string =>
  `\nTo set up your own agents:\n\n  ${paintFor(io.stdout)("cyan", `${programOf(io, host)} setup`)}\n`;

function programOf(io: Io, { argv, execPath, execArgv, platform }: NodeJS.Process): string {
  return copyableCommand({ env: io.env, argv, execPath, execArgv, platform });
}

function invitation(session: SessionView, { io, host, hub, paint, login }: Occasion): string {
  const line = (text: string): string => `  ${paint("cyan", text)}\n`;
  const begin = shortWord("demo", { name: "ASKBOX_HOME", value: hub.home }, programOf(io, host), host.platform);
  const id = shortId(session.id);
  const page = sessionPage(session, { columns: Math.min(io.stdout.columns, 100), now: Date.now(), paint, howTo: false });
  return [
    `${page}\n`,
    ...(login === undefined
      ? []
      : [`${paint("bold", "Answer it in a browser")}, through this one-time login link:\n\n`, `  ${paint("cyan", login)}\n\n`]),
    `${paint("bold", login === undefined ? "Answer it in another terminal" : "or in another terminal")}, where this line comes first:\n\n`,
    line(begin),
    `\n${paint("bold", "in the terminal inbox")}:\n\n`,
    line("demo"),
    `\n${paint("bold", "or with a command")} (change the answers as you like):\n\n`,
    line(`demo answer ${id} ${demoAnswers}`),
    "\nor decline it:\n\n",
    line(`demo cancel ${id} --reason 'Not today'`),
    "\nThe agent is waiting. Press Ctrl-C to end the demo.\n",
  ].join("");
}

function resultText(result: AskResult, paint: Paint): string {
  const ending = result.answered ? endingNames.answered : result.cancelled ? endingNames.declined : outcomeSentences.timed_out;
  return `\n${paint("bold", `${ending}. In the same call, the agent received:`)}\n\n${terminalJson(JSON.stringify(result, undefined, 2))}\n`;
}

interface DemoHub {
  url: string;
  /** The demo's own `ASKBOX_HOME`. */
  home: string;
  /** The environment in which this hub is found. */
  env: Readonly<Record<string, string | undefined>>;
  /** Stops it and deletes its home. */
  close(): Promise<void>;
}

/** Runs a hub in this process with its own home, so that the user's real inbox is not touched. */
async function startDemoHub(outer: Readonly<Record<string, string | undefined>>, hubVersion: string): Promise<DemoHub> {
  const home = await mkdtemp(join(tmpdir(), "askbox-demo-"));
  const { ASKBOX_HUB: _hub, ASKBOX_TOKEN: _token, ASKBOX_STORE: _store, ASKBOX_PORT: _port, ...rest } = outer;
  // The user who runs a demo is already present.
  const env = { ...rest, ASKBOX_HOME: home, ASKBOX_ATTENTION: "none" };
  const stop = new AbortController();
  const ready = Promise.withResolvers<string>();
  let complaint = "";
  const ended = runHub({
    // The demo's data is not worth keeping.
    flags: { store: "memory" },
    env,
    foreground: true,
    isDemo: true,
    hubVersion,
    web: webFolder(),
    signal: stop.signal,
    stdout: { write: () => {} },
    stderr: { write: (text) => (complaint = text) },
    onReady: ({ url }) => ready.resolve(url),
  });
  const failed = ended.then(() => {
    throw new AskboxError("HUB_UNREACHABLE", `The demo's hub did not start. ${complaint.trim()}`);
  });
  failed.catch(() => {});
  const close = async () => {
    stop.abort();
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  try {
    return { url: await Promise.race([ready.promise, failed]), home, env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One question of each type in the contract. */
const demoQuestions: AskInput = {
  title: "A new settings page",
  questions: [
    { id: "name", question: "What should the component be called?", type: "text", placeholder: "SettingsPage" },
    {
      id: "style",
      question: "Which styling approach?",
      type: "select",
      options: [{ label: "Tailwind", description: "What the other pages use" }, { label: "CSS Modules" }, { label: "Plain CSS" }],
    },
    {
      id: "features",
      question: "Which features should it have?",
      type: "multi-select",
      options: ["Search", "Dark mode", "Import and export"],
    },
    { id: "replace", question: "May I delete the old page?", type: "confirm" },
  ],
};

/** Answers to copy and edit. */
const demoAnswers = [
  "--set name=SettingsPage",
  "--set style=Tailwind",
  "--set features=Search",
  "--set features='Dark mode'",
  "--set replace=no",
].join(" ");

/** Shows the remaining time on the last line of a terminal; elsewhere prints nothing. Returns a function that stops it. */
function showTimeLeft(output: Output, deadlineAt: number | null): () => void {
  if (!output.isTerminal || deadlineAt === null) return () => {};
  const draw = () => void output.exact?.(`\r\u001b[K${roundedDuration(deadlineAt - Date.now())} left `);
  const timer = setInterval(draw, 1_000);
  let shown = true;
  draw();
  return () => {
    clearInterval(timer);
    if (shown) void output.exact?.("\r\u001b[K");
    shown = false;
  };
}
