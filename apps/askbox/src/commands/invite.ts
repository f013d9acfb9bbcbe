import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { deskHub } from "../hub-command.ts";
import { writeJson } from "../json-output.ts";
import { invitation } from "../machines/invitation.ts";
import { peopleOnly } from "../people-only.ts";
import { oneOf, repeated } from "../usage.ts";

const scopes = ["asker", "desk"] as const;

export interface InviteOptions {
  name?: string;
  scope: (typeof scopes)[number];
  at?: readonly string[];
  json?: boolean;
}

const inviteSchema = z.object({ code: z.string(), expiresAt: z.number(), url: z.string(), outside: z.array(z.string()) });

export const command: DefineCommand = (run) =>
  commandWith("invite", "Let agents on another machine ask here", [
    ["askbox invite", "prints the command to run there, good for 15 minutes and one machine"],
    ["askbox invite --name build-7", "the machine's name here (default: its host name)"],
    ["askbox invite --scope desk", "for a machine of yours on which you answer"],
    ["askbox invite --at https://askbox.example", "it reaches the hub at this address, such as that of a tunnel"],
    ["askbox invite --at https://box.lan:4141 --at unix:/run/askbox/hub.sock", "in this order"],
  ])
    .option("--name <name>", "the machine's name here: letters, digits, dots, dashes, underscores and @")
    .option("--scope <scope>", "what it can do: asker asks, desk answers", oneOf("--scope", scopes), "asker")
    .option("--at <address>", "where it reaches the hub: http(s)://… or unix:/path/of/a/socket; several are tried in order", repeated)
    .option("--json", "print a JSON object: command, code, url, expiresAt")
    .action(run(invite));

async function invite(context: CommandContext, { json, ...options }: InviteOptions): Promise<ExitCode> {
  await peopleOnly(context, "invite machines that");
  const { stdout, stderr } = context.io;
  const made = await makeInvitation(context, options);
  if (json) await writeJson(stdout, made);
  else {
    // Only the command goes to stdout, so that a script can capture it.
    await stdout.write(`${terminalLine(made.command)}\n`);
    await stderr.write("Run this on the other machine within 15 minutes. It works once, for one machine.\n");
    if (made.isOnlyHere) {
      await stderr.write(
        "The hub listens on this machine only, so this works in a container that shares its network. For one that mounts its socket, add --at unix:/PATH/THERE; for a machine that you reach by SSH, run `askbox ssh HOST`.\n",
      );
    }
  }
  return exitCodes.done;
}

/** An invitation of the hub, with the command to run on the other machine. */
export async function makeInvitation(context: CommandContext, { name, scope, at }: Omit<InviteOptions, "json">) {
  const [{ readAddress, requestHub }, found] = await Promise.all([import("@askbox/home"), deskHub(context)]);
  const answer = await requestHub(found, { method: "POST", path: "/auth/invites", body: { name, scope } });
  const { code, expiresAt, url, outside } = inviteSchema.parse(answer);
  const direct = found.own === undefined && !found.url.startsWith("unix:") ? found.url : outside[0];
  const [address = direct ?? url, ...also] = (at ?? []).map(readAddress);
  const joining = invitation.write({ address, also, code, fingerprint: at === undefined ? found.fingerprint : undefined });
  return {
    command: `askbox join '${joining}'`,
    joining,
    code,
    url: address,
    expiresAt,
    isOnlyHere: at === undefined && direct === undefined,
  };
}
