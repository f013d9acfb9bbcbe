import { hostname } from "node:os";
import { terminalLine } from "@askbox/terminal-text";
import { isOpened } from "../browser.ts";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { type LoginLinks, loginLinks } from "../login-link.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("open", "Open the web inbox, logged in", [
    ["askbox open", "in this machine's browser"],
    ["askbox open --print", "print the link; it works once, within 10 minutes"],
    ["askbox open --qr", "a QR code for a phone, if it can reach the hub"],
    ["askbox open --phone", "what a phone needs for the page and its notifications, and the code"],
  ])
    .option("--print", "print the login link instead of opening it")
    .option("--qr", "show the login link as a QR code; needs hosts, since a phone can't reach a hub on loopback")
    .option("--phone", "say what works on a phone and what is missing, and show the QR code")
    .action(run(open));

async function open(context: CommandContext, options: { print?: boolean; qr?: boolean; phone?: boolean }): Promise<ExitCode> {
  if (options.print && (options.qr || options.phone)) throw usageError("Use --print alone; --qr and --phone print the link too.");
  // Anyone with the link can answer.
  await peopleOnly(context, "answer");
  const { io } = context;
  const links = await loginLinks(context);
  if (options.phone) return guide(context, links);
  if (options.qr) return pair(context, links, "--qr");
  if (options.print) {
    await io.stdout.write(`${links.link}\n`);
    return exitCodes.done;
  }
  if (await isOpened(links.link, io.env)) {
    await io.stdout.write("Opened the inbox in your browser. The login link worked once; run `askbox open` for a new one.\n");
    return exitCodes.done;
  }
  await io.stdout.write(`Could not open a browser here. Open this link within 10 minutes; it works once:\n\n  ${links.link}\n\n`);
  await io.stdout.write(`To open it on another machine, run this there first:\n\n  ${tunnel(links)}\n`);
  return exitCodes.done;
}

async function pair({ io }: Pick<CommandContext, "io">, links: LoginLinks, again: "--qr" | "--phone"): Promise<ExitCode> {
  const [link] = links.outside;
  if (link === undefined) {
    await io.stderr.write(`${howToReach(links, again)}\n`);
    return exitCodes.failed;
  }
  const { qrCode } = await import("../text/phone-guide.ts");
  await io.stdout.write(`${qrCode(link, { colors: io.stdout.hasColors })}\n${link}\n\nScan it within 10 minutes; it works once.\n`);
  return exitCodes.done;
}

async function guide({ io }: CommandContext, links: LoginLinks): Promise<ExitCode> {
  const { phoneAlternatives, phoneReport, phoneSteps } = await import("../text/phone-guide.ts");
  const { link, lines } = await phoneReport(links);
  await io.stdout.write(`${lines.join("\n")}\n\n`);
  const isPaired = await pair({ io }, { ...links, outside: link === undefined ? [] : [link] }, "--phone");
  await io.stdout.write(link === undefined ? `\n${phoneAlternatives}\n` : `\n${phoneSteps}\n\n${phoneAlternatives}\n`);
  return isPaired;
}

/** A code that led a phone to its own loopback address would not work. */
function howToReach(links: LoginLinks, again: string): string {
  const { port } = links;
  return [
    "No code: the hub listens on this machine only, so a phone can't reach it; set hosts in config.json or ASKBOX_HOSTS to a name that it can.",
    "",
    `  A tailnet: run \`tailscale serve --bg ${port}\`, and add the name it shows to the hub's hosts.`,
    `  Your own TLS host: forward to 127.0.0.1:${port} with WebSockets and its own Host header, and add its name to hosts.`,
    `  For another computer, no change is needed: run \`${tunnel(links)}\` there, then \`askbox open --print\` here.`,
    "",
    `After setting it (askbox config set hosts inbox.example), run \`askbox hub stop\`, and \`askbox open ${again}\` again.`,
  ].join("\n");
}

const tunnel = ({ port }: LoginLinks) => `ssh -N -L ${port}:127.0.0.1:${port} ${terminalLine(hostname())}`;
