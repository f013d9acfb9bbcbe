import { resolve } from "node:path";
import { clientNamed, clientStatuses, systemOf } from "@askbox/clients";
import { type ClientName, type KnownClient, knownCalls, knownClient, shellWord } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { type ProbeReport, probeTool } from "@askbox/mcp";
import { readProbes } from "@askbox/mcp-stdio/probe";
import { terminalLine } from "@askbox/terminal-text";
import { clientLaunch, launchHost } from "../client/launch.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { limitOf } from "./check-surroundings.ts";

/** Prints a client's call timeout: from the table, as measured on this machine, and how to measure it. */
export async function examineClient({ io }: CommandContext, name: ClientName, json: boolean): Promise<ExitCode> {
  const client = clientNamed(name);
  const known = knownCalls(client.name);
  const probes = readProbes(homeFiles(homeFolders({ env: io.env })).probes).filter((probe) => isOf(probe, known, name));
  const system = systemOf({ env: io.env, project: resolve(".") });
  const setUp = clientStatuses(system).find((status) => status.client === name)?.setUp ?? [];
  const plugin = client.plugin?.(system);
  const command = [...clientLaunch(launchHost(process, io.env)), "mcp", "--probe"];
  if (json) {
    await writeJson(io.stdout, {
      client: name,
      limit: known ?? null,
      raisedTo: client.raisedTo ?? null,
      setUp,
      plugin: plugin ?? null,
      probes,
      probeCommand: command,
    });
    return exitCodes.done;
  }
  const lines = [
    ...setUp.map(({ file, maxWait }) =>
      maxWait === undefined
        ? `${terminalLine(file)} has an entry without --max-wait:`
        : `With the entry in ${terminalLine(file)}, a call gets a ticket after ${maxWait} s. Without its settings:`,
    ),
    known === undefined ? `${client.title} is not in the table of limits: a call gets a ticket after 50 s.` : `${limitOf(known)}.`,
    ...(known === undefined ? [] : [known.evidence.found]),
    ...(client.raisedTo === undefined
      ? [`askbox knows no setting for it; if you measure more, run: askbox install ${name} --max-wait SECONDS`]
      : [`\`askbox install ${name}\` raises it to ${client.raisedTo} s.`]),
    setUp.length === 0
      ? "askbox is not set up in this client."
      : `askbox is set up in ${setUp.map(({ file }) => terminalLine(file)).join(" and ")}.`,
    ...(plugin === undefined
      ? []
      : [
          `askbox's plugin is enabled in ${terminalLine(plugin.file)} and brings ${plugin.brings}. Its calls get a ticket in time for the client's own limit.`,
        ]),
    "",
    ...(probes.length === 0 ? ["Nothing has been measured on this machine yet."] : ["Measured on this machine:", ...probes.map(probeLine)]),
    "",
    `To measure it, add a server to ${client.title} with this command, and tell its agent: "Call ${probeTool} once and wait."`,
    `  ${command.map((word) => shellWord(word) ?? JSON.stringify(word)).join(" ")}`,
    "When the call is over, run this again. A client that moves a call to the background doesn't tell its server.",
  ];
  await io.stdout.write(`${lines.join("\n")}\n`);
  return exitCodes.done;
}

const words = {
  cut: "was terminated by the client",
  returned: "ran to its end",
  waiting: "was still waiting when last seen; its server is gone or still running",
} as const;

function probeLine({ client, progress, startedAt, waited, end }: ProbeReport): string {
  const name = terminalLine([client.name, client.version].filter((part) => part !== undefined).join(" "));
  const when = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `  ${when}  ${name}, ${progress ? "with" : "without"} progress: a call ${words[end]} after ${Math.round(waited / 1_000)} s`;
}

/** The name in the table, or the client's own if it is not listed. */
function isOf({ client }: ProbeReport, known: KnownClient | undefined, name: ClientName): boolean {
  if (known !== undefined) return knownClient(client.name)?.name === known.name;
  return client.name.toLowerCase().replaceAll(/[\s_]/g, "-").includes(name);
}
