import { hostname } from "node:os";
import { AskboxError, isAskboxError } from "@askbox/core";
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
  oidc?: boolean;
  audience: string;
  json?: boolean;
}

const joinedSchema = z.object({ token: z.string(), name: z.string(), scope: z.enum(["asker", "desk"]) });

export const command: DefineCommand = (run) =>
  commandWith("join", "Ask at the hub of another machine", [
    ["askbox join 'https://box.example:4141#join=CODE'", "the line that `askbox invite` printed there"],
    ["echo 'https://box.example:4141#join=CODE' | askbox join -", "without showing the code to this machine's other users"],
    ["askbox join https://box.example --oidc", "a CI job of GitHub or GitLab that the hub lets in, without a secret"],
    ["askbox join", "which hub this machine has joined"],
    ["askbox join --leave", "use this machine's own hub again"],
  ])
    .argument("[invitation]", "what `askbox invite` printed; - reads it from stdin")
    .option("--name <name>", "this machine's name there, unless the invitation says it (default: its host name)")
    .option("--oidc", "join with the OIDC token of this CI job; the argument is the hub's address")
    .option("--audience <text>", "for whom the token is requested, as in jobs of the hub's config", "askbox")
    .option("--leave", "leave the hub that this machine has joined, and end its token")
    .option("--json", "print a JSON object: url, name, scope")
    .action(run(join));

async function join(
  context: CommandContext,
  text: string | undefined,
  { name, leave, json, oidc, audience }: JoinOptions,
): Promise<ExitCode> {
  const { homeFolders, readAddress, readJoinedFile, removeJoinedFile } = await import("@askbox/home");
  const { io } = context;
  const folders = homeFolders({ env: io.env });
  const present = readJoinedFile(folders);
  if (oidc && !text) throw usageError("--oidc takes the hub's address: askbox join URL --oidc.");
  if (text === undefined && !leave) {
    const shown = present && { url: present.url, name: present.name, scope: present.scope };
    if (json) await writeJson(io.stdout, shown ?? null);
    else if (present === undefined) await io.stdout.write("This machine has joined no hub; what its agents ask goes to its own.\n");
    else await io.stdout.write(nameThere(present));
    return exitCodes.done;
  }
  // Whoever runs the hub answers this machine's agents, approvals too.
  await peopleOnly(context, "choose who answers their");
  if (leave) {
    if (text !== undefined) throw usageError("--leave takes no invitation.");
    // A hub that can't be reached keeps the token until somebody revokes it there.
    const isTold = present !== undefined && (await leaveHub(present));
    removeJoinedFile(folders);
    if (json) await writeJson(io.stdout, null);
    else
      await io.stdout.write(
        present
          ? `This machine uses its own hub again.${isTold ? "" : ` The other hub could not be told; run \`askbox machines revoke ${terminalLine(present.name)}\` there.`}\n`
          : "This machine has joined no hub.\n",
      );
    return exitCodes.done;
  }
  if (present !== undefined) {
    throw usageError(
      `This machine has joined the hub at ${terminalLine(present.url)} already; leave that first, with \`askbox join --leave\`.`,
    );
  }
  const line = (text === "-" ? await io.stdin.text({}) : (text ?? "")).trim();
  const given = oidc ? { address: line, jobToken: await jobToken(io.env, audience) } : invitation.read(line);
  const also = ("also" in given ? (given.also ?? []) : []).map(readAddress);
  const joined = await redeem(given, name ?? hostname().split(".", 1).join());
  const { writeJoinedFile } = await import("@askbox/home");
  const ways = { url: given.address, ...(also.length > 0 && { also }) };
  writeJoinedFile(folders, { ...ways, ...joined, ...("fingerprint" in given && { fingerprint: given.fingerprint }) });
  const { token: _, ...shown } = joined;
  if (json) await writeJson(io.stdout, { url: given.address, ...shown });
  else {
    await io.stdout.write(nameThere({ url: given.address, name: joined.name }));
    const next = joined.scope === "desk" ? "See what waits with `askbox`" : "Set up its agents with `askbox setup`";
    await io.stderr.write(`${next}, or check the way with \`askbox doctor\`.\n`);
  }
  return exitCodes.done;
}

const nameThere = ({ url, name }: Pick<JoinedHub, "url" | "name">) =>
  `This machine has joined the hub at ${terminalLine(url)} as ${terminalLine(name)}.\n`;

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

/** Exchanges a code, or a job's token, for this machine's token. Throws the hub's own error, and `HUB_UNREACHABLE`. */
async function redeem(
  { address, also = [], fingerprint, ...proof }: Omit<Invitation, "code"> & ({ code: string } | { jobToken: string }),
  name: string,
): Promise<z.output<typeof joinedSchema>> {
  const { firstWay, probeHub, readAddress, requestHub } = await import("@askbox/home");
  const url = await firstWay([address, ...also].map(readAddress), (way) => probeHub(way, { fingerprint }));
  // There is no token yet; the code takes its place.
  const answer = await requestHub({ url, token: undefined, fingerprint }, { method: "POST", path: "/auth/join", body: { ...proof, name } });
  return joinedSchema.parse(answer);
}

/** Milliseconds. */
const tokenTime = 10_000;

/** The OIDC token of the CI job around this process: GitLab puts it into the environment, and GitHub makes one for each audience. */
async function jobToken(env: CommandContext["io"]["env"], audience: string): Promise<string> {
  const { ASKBOX_ID_TOKEN: given, ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env;
  if (given) return given.trim();
  if (!url || !secret) {
    throw usageError(
      "There is no OIDC token here. On GitHub, the job needs `permissions: id-token: write`; on GitLab, `id_tokens: ASKBOX_ID_TOKEN`.",
    );
  }
  try {
    const headers = { authorization: `Bearer ${secret}` };
    const at = new URL(url);
    at.searchParams.set("audience", audience);
    const response = await fetch(at, { headers, signal: AbortSignal.timeout(tokenTime) });
    return z.object({ value: z.string() }).parse(await response.json()).value;
  } catch (cause) {
    throw new AskboxError("HUB_UNREACHABLE", "GitHub gave this job no OIDC token; try again.", { cause });
  }
}
