import { hostname } from "node:os";
import { isAskboxError } from "@askbox/core";
import type { JoinedHub } from "@askbox/home";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { type Invitation, invitation } from "../machines/invitation.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";

interface JoinOptions {
  name?: string;
  leave?: boolean;
  json?: boolean;
}

const joinedSchema = z.object({ token: z.string(), name: z.string(), scope: z.enum(["asker", "desk"]) });

export const command: DefineCommand = (run) =>
  commandWith("join", "Ask at the hub of another machine", [
    ["askbox join 'https://box.example:4141#join=CODE'", "the line that `askbox invite` printed there"],
    ["echo 'https://box.example:4141#join=CODE' | askbox join -", "without showing the code to this machine's other users"],
    ["askbox join", "which hub this machine has joined"],
    ["askbox join --leave", "use this machine's own hub again"],
  ])
    .argument("[invitation]", "what `askbox invite` printed; - reads it from stdin")
    .option("--name <name>", "this machine's name there, unless the invitation says it (default: its host name)")
    .option("--leave", "leave the hub that this machine has joined, and end its token")
    .option("--json", "print a JSON object: url, name, scope")
    .action(run(join));

async function join(context: CommandContext, text: string | undefined, { name, leave, json }: JoinOptions): Promise<ExitCode> {
  const { homeFolders, readAddress, readJoinedFile, removeJoinedFile } = await import("@askbox/home");
  const { io } = context;
  const folders = homeFolders({ env: io.env });
  const present = readJoinedFile(folders);
  if (text === undefined && !leave) {
    const shown = present && { url: present.url, name: present.name, scope: present.scope };
    if (json) await writeJson(io.stdout, shown ?? null);
    else if (present === undefined) await io.stdout.write("This machine has joined no hub; what its agents ask goes to its own.\n");
    else await io.stdout.write(`This machine is ${terminalLine(present.name)} at the hub of ${terminalLine(present.url)}.\n`);
    return exitCodes.done;
  }
  // Whoever runs the hub answers this machine's agents, approvals too.
  await peopleOnly(context, "choose who answers their");
  if (leave) {
    if (text !== undefined) throw usageError("--leave takes no invitation.");
    // A hub that can't be reached keeps the token until somebody revokes it there.
    const isTold = present !== undefined && (await leaveHub(present));
    const had = removeJoinedFile(folders);
    if (json) await writeJson(io.stdout, null);
    else
      await io.stdout.write(
        had
          ? `This machine uses its own hub again.${isTold ? "" : ` Its token is still good there: \`askbox machines revoke ${terminalLine(present?.name ?? "")}\`.`}\n`
          : "This machine has joined no hub.\n",
      );
    return exitCodes.done;
  }
  if (present !== undefined) {
    throw usageError(
      `This machine has joined the hub at ${terminalLine(present.url)} already; leave that first, with \`askbox join --leave\`.`,
    );
  }
  const given = invitation.read((text === "-" ? await io.stdin.text({}) : (text ?? "")).trim());
  const also = (given.also ?? []).map(readAddress);
  const joined = await redeem(given, name ?? hostname().replace(/\..*$/, ""));
  const { writeJoinedFile } = await import("@askbox/home");
  const ways = { url: given.address, ...(also.length > 0 && { also }) };
  writeJoinedFile(folders, { ...ways, ...joined, ...(given.fingerprint !== undefined && { fingerprint: given.fingerprint }) });
  const { token: _, ...shown } = joined;
  if (json) await writeJson(io.stdout, { url: given.address, ...shown });
  else {
    await io.stdout.write(`This machine is ${terminalLine(joined.name)} at the hub of ${terminalLine(given.address)}.\n`);
    await io.stderr.write("Set up its agents with `askbox setup`, or check the way with `askbox doctor`.\n");
  }
  return exitCodes.done;
}

async function leaveHub({ url, also = [], token, fingerprint }: JoinedHub): Promise<boolean> {
  const { firstWay, probeHub, requestHub } = await import("@askbox/home");
  try {
    const way = await firstWay([url, ...also], (each) => probeHub(each, { fingerprint, timeout: 3_000 }));
    await requestHub({ url: way, token, fingerprint }, { method: "POST", path: "/auth/leave" });
    return true;
  } catch (error) {
    return isAskboxError(error, "UNAUTHORIZED");
  }
}

/** Exchanges a code for this machine's token. Throws the hub's own error, and `HUB_UNREACHABLE`. */
async function redeem({ address, also = [], code, fingerprint }: Invitation, name: string): Promise<z.output<typeof joinedSchema>> {
  const { firstWay, probeHub, readAddress, requestHub } = await import("@askbox/home");
  const url = await firstWay([address, ...also].map(readAddress), (way) => probeHub(way, { fingerprint }));
  // There is no token yet; the code takes its place.
  const answer = await requestHub({ url, token: undefined, fingerprint }, { method: "POST", path: "/auth/join", body: { code, name } });
  return joinedSchema.parse(answer);
}
