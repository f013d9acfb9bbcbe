import { existsSync } from "node:fs";
import { type ClientName, clientNames } from "@askbox/core/clients";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import type { Finding, Surroundings } from "../doctor/finding.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { wrap } from "../text/layout.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { oneOf } from "../usage.ts";
import { version } from "../version.ts";

export const command: DefineCommand = (run) =>
  commandWith("doctor", "Diagnose problems and suggest fixes", [
    ["askbox doctor", "one line per check; exit code 1 if something fails"],
    ["askbox doctor --json | jq '.checks[] | select(.status != \"ok\")'", "checks that are not ok"],
    ["askbox doctor --fix", "also corrects hub addresses in clients' files that lead nowhere"],
    ["askbox doctor --send", "also sends a test to your desktop, phone and chat, and waits for its button"],
    ["askbox doctor --client cursor", "a client's call timeout, and how to measure it"],
    ["askbox doctor --hub http://127.0.0.1:4141 --token-file token", "another hub"],
  ])
    .option("--client <name>", "only this client's call timeout, and what was measured", oneOf("--client", clientNames))
    .option("--fix", "replace hub addresses in clients' files that lead nowhere")
    .option("--send", "send a test by each way to reach you, and wait up to a minute for the press of its button")
    .option("--json", "print a JSON object: {ok, checks: [{check, status, message}]}")
    .action(run(doctor));

async function doctor(
  context: CommandContext,
  options: { client?: ClientName; fix?: boolean; send?: boolean; json?: boolean },
): Promise<ExitCode> {
  const { io, globals } = context;
  if (options.client !== undefined) {
    const { examineClient } = await import("../doctor/examine-client.ts");
    return examineClient(context, options.client, options.json === true);
  }
  const { fix, send } = options;
  const onSent = async (buttons: number, seconds: number) => {
    if (buttons > 0) await io.stderr.write(`A test was sent; press its button within ${seconds} s.\n`);
  };
  const checks = await examine({
    fix,
    send,
    onSent,
    startHub: () => context.desk(),
    env: io.env,
    version,
    hubUrl: globals.hub,
    tokenFile: globals.tokenFile,
    now: () => context.now(),
  });
  const isWell = checks.every(({ status }) => status !== "fail");
  if (options.json) await writeJson(io.stdout, { ok: isWell, checks });
  else await io.stdout.write(report(checks, io.stdout.columns, paintFor(io.stdout)));
  return isWell ? exitCodes.done : exitCodes.failed;
}

interface Examination extends Surroundings {
  startHub(): Promise<unknown>;
  fix: boolean | undefined;
  send: boolean | undefined;
  onSent(buttons: number, seconds: number): void;
}

async function examine(around: Examination): Promise<Finding[]> {
  const [{ homeFiles, homeFolders }, home, hub, surroundings] = await Promise.all([
    import("@askbox/home"),
    import("../doctor/check-home.ts"),
    import("../doctor/check-hub.ts"),
    import("../doctor/check-surroundings.ts"),
  ]);
  const folders = homeFolders({ env: around.env });
  const files = homeFiles(folders);
  // The hub reads what is pressed in a chat.
  if (around.send && existsSync(files.chat)) await around.startHub();
  const { config, findings } = home.checkConfig(folders, files, around);
  const ofHub = await hub.checkHub(folders, config, around);
  // A machine that has joined another's hub has none of its own, which would store questions and tell of them.
  const hasJoined = ofHub.some(({ check }) => check === "way");
  return [
    ...surroundings.checkVersions(around),
    ...findings,
    ...(await home.checkPermissions(folders, files)),
    ...ofHub,
    ...(await hub.checkAddresses(folders, files, around)),
    ...(hasJoined ? [] : [...(await home.checkStore(config, files)), ...(await surroundings.checkAttention(config, around))]),
    ...(around.send ? await (await import("../doctor/check-sending.ts")).checkSending(config, folders, around) : []),
    ...(await surroundings.checkApprovals(around)),
    ...(await surroundings.checkEditors(around)),
    ...(await home.checkLog(files, around)),
    ...(await surroundings.listClients(around)),
  ];
}

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

function report(checks: readonly Finding[], columns: number, paint: Paint): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(({ check, status, message }) => {
    const head = `${paint(colours[status], status.padEnd(4))}  ${check.padEnd(width)}  `;
    return `${head}${wrap(message, columns, 8 + width)}\n`;
  });
  const count = (status: Finding["status"]) => checks.filter((finding) => finding.status === status).length;
  const [failed, warned] = [count("fail"), count("warn")];
  const end = failed === 0 && warned === 0 ? "All is well." : `${failed} failed, ${warned} to look at.`;
  return `${lines.join("")}\n${end}\n`;
}
