import type { AskboxError } from "@askbox/core";
import type { HubStatus } from "@askbox/hub-process";
import { shortDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { Option } from "commander";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { pushLine, webhookLine } from "../text/webhook-line.ts";
import { usageError, wholeNumber } from "../usage.ts";
import { version } from "../version.ts";
import { webFolder } from "../web-folder.ts";

interface HubOptions {
  host?: string;
  port?: number;
  socket?: string;
  store?: string;
  space?: string;
  idleExit?: number;
  tlsCert?: string;
  tlsKey?: string;
  json?: boolean;
  background?: boolean;
}

export const command: DefineCommand = (run, next) => {
  const command = commandWith("hub", "Run the hub in the foreground, check or stop it", [
    ["askbox hub", "run it here, until Ctrl-C"],
    ["askbox hub --port 4141 --store sqlite:./questions.db", "on this port, with this store"],
    ["askbox hub --store redis://redis.local:6379", "one of several hubs that share an inbox"],
    ["askbox hub --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem", "for other machines, over TLS"],
    ["askbox hub status", "where it runs and what it is doing"],
    ["askbox hub stop", "stop it; pending questions are kept"],
  ])
    .usage("[options] | status [options] | stop [options]")
    .addCommand(statusCommand(run))
    .addCommand(stopCommand(run));
  // The flags below are for running a hub; Commander would otherwise accept them for `hub status` too.
  if (next !== undefined && !next.startsWith("-")) return command;
  return command
    .option("--host <address>", "the address to listen on (default: 127.0.0.1); other than loopback, it needs hosts in the config")
    .option("--port <n>", "the port, 0 to let the system choose (default: the one it used last)", wholeNumber("--port", "from 0 to 65535"))
    .option("--socket <path>", "the socket at which it also listens, for containers and tunnels (default: hub.sock in the data folder)")
    .option(
      "--store <store>",
      "memory, sqlite, sqlite:PATH or redis://HOST:PORT for several hubs; with a password, set ASKBOX_STORE instead (default: sqlite)",
    )
    .option("--space <name>", "the team's space, if several teams share a Redis")
    .option(
      "--idle-exit <s>",
      "exit after this many seconds without connections or pending questions, 0 for never",
      wholeNumber("--idle-exit", "of seconds"),
    )
    .option("--tls-cert <file>", "serve over TLS with this certificate, a PEM file; reloaded when it changes")
    .option("--tls-key <file>", "the certificate's private key, a PEM file")
    .option("--json", "print a JSON object when the hub is ready: url, pid, version")
    .addOption(new Option("--background", "run as a client would: silently, exiting when idle").hideHelp())
    .action(run(hub));
};

const statusCommand: DefineCommand = (run) =>
  commandWith("status", "Show where the hub runs and what it is doing", [
    ["askbox hub status", "for people"],
    ["askbox hub status --json", "for scripts; exit code 5 if no hub is running"],
  ])
    .option("--json", "print a JSON object")
    .action(run(status));

const stopCommand: DefineCommand = (run) =>
  commandWith("stop", "Stop the hub", [
    ["askbox hub stop", "pending questions are kept"],
    ["askbox hub stop --hub http://127.0.0.1:4141 --token-file token", "a hub other than this home's"],
  ]).action(run(stop));

async function hub(context: CommandContext, options: HubOptions): Promise<number> {
  if (context.globals.hub !== undefined) throw usageError("askbox hub runs a hub on this machine; use --hub with hub status and hub stop.");
  const { runHub } = await import("@askbox/hub-process");
  const { background, tlsCert: cert, tlsKey: key, ...flags } = options;
  let failure: AskboxError | undefined;
  const exitCode = await runHub({
    flags: { ...flags, ...((cert !== undefined || key !== undefined) && { tls: { cert, key } }) },
    env: context.io.env,
    foreground: background !== true,
    hubVersion: version,
    web: webFolder(),
    onFailure(error) {
      failure = error;
    },
  });
  if (failure !== undefined) throw failure;
  return exitCode;
}

async function status(context: CommandContext, options: { json?: boolean }): Promise<ExitCode> {
  const { hubStatus } = await import("@askbox/hub-process");
  const found = await hubStatus(controlOptions(context));
  if (options.json) await writeJson(context.io.stdout, found);
  else await context.io.stdout.write(statusText(found));
  return exitCodes.done;
}

async function stop(context: CommandContext): Promise<ExitCode> {
  const { hubStop } = await import("@askbox/hub-process");
  const stopped = await hubStop(controlOptions(context));
  await context.io.stdout.write(`Stopped the hub at ${terminalLine(stopped.url)} (pid ${stopped.pid}).${keptSentences(stopped)}\n`);
  return exitCodes.done;
}

/** What happens to waiting calls: they do not restart a hub that was stopped on purpose. */
function keptSentences({ pending, waiting, reconnecting = waiting }: HubStatus): string {
  const ended = waiting - reconnecting;
  const calls = reconnecting === 1 ? "1 call is still waiting and looks" : `${reconnecting} calls are still waiting and look`;
  return [
    pending > 0 && ` ${pending} pending ${pending === 1 ? "question is" : "questions are"} kept.`,
    reconnecting > 0 && ` ${calls} for a hub for a minute: \`askbox hub\` starts one.`,
    ended > 0 &&
      ` ${ended === 1 ? "1 call over HTTP has ended; its agent can continue" : `${ended} calls over HTTP have ended; their agents can continue`} by asking again.`,
  ]
    .filter((sentence) => sentence !== false)
    .join("");
}

function controlOptions({ io, globals }: CommandContext) {
  return { agent: { name: "askbox", version }, env: io.env, hubUrl: globals.hub, tokenFile: globals.tokenFile };
}

/** The other hubs, and any whose clock differs from this one's. */
function peersText(peers: NonNullable<HubStatus["peers"]>): string {
  if (peers.length === 0) return "no others on this store";
  const names = peers.map(({ instance, url, version: theirs, clockAhead }) => {
    const what = theirs === undefined || theirs === version ? "" : ` (askbox ${theirs})`;
    const clock = Math.abs(clockAhead) > 2_000 ? ` (its clock differs by ${shortDuration(Math.abs(clockAhead))})` : "";
    return terminalLine(`${url ?? instance}${what}${clock}`);
  });
  return `${peers.length} more on this store: ${names.join(", ")}`;
}

function statusText(found: HubStatus): string {
  const push = pushLine(found);
  const surfaces = found.surfaces.map(({ surface, name }) => terminalLine(name === undefined ? surface : `${surface} (${name})`));
  const rows = [
    ["Hub", `askbox ${terminalLine(found.version)} at ${terminalLine(found.url)}, pid ${found.pid}, up ${shortDuration(found.uptime)}`],
    ["Store", `${terminalLine(found.store.name)}: ${terminalLine(found.store.durability.description)}`],
    ...(found.space === undefined ? [] : [["Space", terminalLine(found.space)]]),
    ...(found.peers === undefined ? [] : [["Hubs", peersText(found.peers)]]),
    ["Pending", `${found.pending}; ${found.waiting} calls still waiting`],
    ["Attention", `${terminalLine(found.attention)}${found.web ? "; askbox open opens the web inbox" : ""}`],
    ["Connected", `${found.askers} ${found.askers === 1 ? "asker" : "askers"}; surfaces: ${surfaces.join(", ") || "none"}`],
    ...(found.webhooks ?? []).map((target) => ["Webhook", webhookLine(target)]),
    ...(push === undefined ? [] : [["Push", push]]),
    ...(found.chats ?? []).map(({ name, bot, trouble }) => [
      "Chat",
      terminalLine(`${name}, as ${bot}${trouble === undefined ? "" : `: ${trouble}`}`),
    ]),
  ];
  return rows.map(([title = "", text = ""]) => `${title.padEnd(10)} ${text}\n`).join("");
}
