import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { AskboxError, toAskboxError } from "@askbox/core";
import { standardClock } from "@askbox/core/transport";
import { roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { deskHub } from "../hub-command.ts";
import { holdTunnel } from "../machines/hold-tunnel.ts";
import { checkHost, nameOfHost, type ScriptRun, sshHost } from "../machines/ssh-host.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";
import { version } from "../version.ts";
import { makeInvitation } from "./invite.ts";
import { readMachines } from "./machines.ts";

/*
 * `askbox ssh HOST`: a socket there that leads to the hub here, for as long as this runs. The host joins the hub by it once; its agents ask
 * with a token that can do nothing else. Whatever the host does, it gets no more than that socket: no agent of ssh, no other forwarding.
 */

interface SshOptions {
  name?: string;
  yes?: boolean;
}

type Host = ReturnType<typeof sshHost>;

export const command: DefineCommand = (run) => {
  const command = commandWith("ssh", "Let agents on a host that you reach by SSH ask here", [
    ["askbox ssh build-7", "for as long as it runs; it reconnects by itself"],
    ["askbox ssh build-7 setup", "also sets up the clients there"],
    ["askbox ssh ada@10.0.0.7 --name builder", "the host's name in your inbox"],
  ])
    .argument("<host>", "as for ssh: a name in ~/.ssh/config, or USER@HOST")
    .argument("[action]", "setup: set up the clients there")
    .option("--name <name>", "the machine's name here (default: the host's)")
    .option("-y, --yes", "where askbox isn't installed, run it by npx without asking");
  command.registeredArguments[1]?.choices(["setup"]);
  return command.action(run(ssh));
};

async function ssh(context: CommandContext, host: string, action: "setup" | undefined, options: SshOptions): Promise<ExitCode> {
  checkHost(host);
  await peopleOnly(context, "choose which machines ask");
  const { io } = context;
  const local = await ownSocket(context);
  const there = sshHost({ host, version, env: io.env });
  const { folder, program, joined: before } = await there.prepare();
  const remote = join(folder, `tunnel-${hubMark(local)}.sock`);
  const runner = await howToRun(context, host, program, options);
  // An asker's connection: the hub doesn't exit while the tunnel leads to it, and is started again if it does.
  await context.asker();

  const over = new AbortController();
  const release = context.onInterrupt(() => over.abort(), ["SIGINT", "SIGTERM", "SIGHUP"]);
  const shown = terminalLine(host);
  const firstUp = Promise.withResolvers<void>();
  let isUp = false;
  const held = holdTunnel({
    open: () => there.tunnel(local, remote),
    clock: standardClock(globalThis),
    random: Math.random,
    signal: over.signal,
    onUp() {
      if (isUp) void io.stderr.write(`Connected to ${shown} again.\n`);
      isUp = true;
      firstUp.resolve();
    },
    onDown: (reason, pause) =>
      void io.stderr.write(`Lost ${shown} (${reason}); trying again${pause < 1_000 ? "" : ` in ${roundedDuration(pause)}`}.\n`),
  });
  try {
    await Promise.race([firstUp.promise, held.catch((cause: unknown) => Promise.reject(unreached(shown, cause)))]);
    if (over.signal.aborted) return exitCodes.done;
    const name = await joined(context, there, { runner, remote, before, name: options.name ?? nameOfHost(host) });
    await io.stdout.write(
      `What agents on ${shown} ask comes here, from ${terminalLine(name)}, for as long as this runs. Ctrl-C ends it.\n`,
    );
    if (action === "setup") await setUp(context, there, runner);
    else await io.stderr.write(`Their clients there are set up by \`askbox ssh ${shown} setup\`, or by \`askbox setup\` on the host.\n`);
    await held;
    return exitCodes.done;
  } finally {
    over.abort();
    release();
    await held.catch(() => {});
  }
}

const unreached = (host: string, cause: unknown) =>
  new AskboxError("HUB_UNREACHABLE", `The tunnel to ${host} can't be opened: ${toAskboxError(cause).message}`, { cause });

/** The socket of this machine's own hub, which is started if it doesn't run. */
async function ownSocket(context: CommandContext): Promise<string> {
  const { own } = await deskHub(context);
  if (own === undefined) throw usageError("A tunnel leads to this machine's own hub: run this where the hub runs, without --hub.");
  const { hubStatus } = await import("@askbox/hub-process");
  const { io, globals } = context;
  const { socket } = await hubStatus({
    env: io.env,
    hubUrl: globals.hub,
    tokenFile: globals.tokenFile,
    agent: { name: "askbox", version },
  });
  if (socket !== undefined) return socket;
  throw usageError(
    "The hub has no socket that ssh could forward to: restart it (`askbox hub stop`), or give it one with --socket. Windows has none.",
  );
}

/** Tells apart the tunnels of several hubs to one account. */
const hubMark = (socket: string) => createHash("sha256").update(`${hostname()}\0${socket}`).digest("hex").slice(0, 8);

/** How askbox is run on the host. Nothing is installed, and what isn't there is only downloaded if the person says so. */
async function howToRun(
  { io }: CommandContext,
  host: string,
  program: "askbox" | "npx" | "none",
  { yes }: SshOptions,
): Promise<"askbox" | "npx"> {
  if (program === "askbox") return program;
  const name = terminalLine(host);
  const advice = `Install it there with \`npm i -g askbox\`, with Node 22.13 or newer, and run this again.`;
  if (program === "none") throw usageError(`There is neither askbox nor npx on ${name}. ${advice}`);
  const isWanted =
    yes ||
    /^y(es)?$/i.test(
      (await io.ask?.(`askbox isn't installed on ${name}. Run it there by npx, which downloads askbox ${version}? [y/N] `)) ?? "",
    );
  if (isWanted) return program;
  throw usageError(`askbox isn't installed on ${name}, and nothing was downloaded. ${advice} Or let npx run it, with --yes.`);
}

const joinedSchema = z.object({ url: z.string(), name: z.string() });

/** The host's name at this hub, which it joins unless it has. Throws what its askbox says. */
async function joined(
  context: CommandContext,
  there: Host,
  { runner, remote, before, name }: { runner: "askbox" | "npx"; remote: string; before: string | undefined; name: string },
): Promise<string> {
  const url = `unix:${remote}`;
  const state = before ? { code: 0, lines: [before], complaint: "" } : there.runAskbox(runner, ["join", "--json"]);
  const present = joinedSchema.nullable().parse(await jsonOf(state));
  if (present?.url === url && (await readMachines(context)).some((machine) => machine.name === present.name)) return present.name;
  if (present?.url === url) await jsonOf(there.runAskbox(runner, ["join", "--leave", "--json"]));
  else if (present !== null) {
    const sentence = `It has joined another hub, at ${terminalLine(present.url)}; \`askbox join --leave\` there ends that.`;
    throw new AskboxError("CONFLICT", sentence);
  }
  const { joining } = await makeInvitation(context, { name, scope: "asker", at: [url] });
  return joinedSchema.parse(await jsonOf(there.runAskbox(runner, ["join", "-", "--json"], joining))).name;
}

/** The JSON that a command there prints, after what else its shell does. */
async function jsonOf(running: ScriptRun | Promise<ScriptRun>): Promise<unknown> {
  const { code, lines, complaint } = await running;
  const text = lines.join("\n");
  try {
    if (code === 0) return JSON.parse(text.slice(Math.max(text.search(/^(\{|null$)/m), 0)));
  } catch {}
  throw new AskboxError("HUB_UNREACHABLE", `askbox on the host failed: ${complaint || `exit code ${code}`}`);
}

async function setUp({ io }: CommandContext, there: Host, runner: "askbox" | "npx"): Promise<void> {
  const isTerminal = io.ask !== undefined;
  const code = await there.useAskbox(runner, ["setup", ...(isTerminal ? [] : ["--yes"])], isTerminal);
  await io.stderr.write(
    code === 0 ? "The clients there are set up; the tunnel stays open.\n" : "Not everything was set up there; the tunnel stays open.\n",
  );
}
