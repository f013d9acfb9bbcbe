import { type Client, clients, describeInstall, settingsFiles } from "@askbox/clients";
import { type KnownClient, knownCalls } from "@askbox/core/clients";

/** The parts of docs/clients.md that say what `askbox install` does, made by the code that does it. */

const launch = ["/path/to/askbox"];
const code = (text: string) => `\`${text}\``;

/** Puts the text between its two marks in a page. Throws where the page has none. */
export function withPart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no part ${name}`);
  return `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** One line for each client. */
export function clientTable(): string {
  const rows = clients.map((client) => {
    const { user, project } = settingsFiles(client);
    const cells = [
      client.title,
      code(`askbox install ${client.name}`),
      ...[user, project].map((file) => (file === undefined ? "–" : code(file))),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| client | command | for you | with `--scope project` |", "|---|---|---|---|", ...rows].join("\n");
}

/** How long each client waits for a call, and how that is known. */
export function limitsTable(): string {
  const rows = clients.map((client) => {
    const known = knownCalls(client.name);
    const raised = client.raisedTo === undefined ? "no setting known" : `${client.raisedTo} s`;
    const cells = [client.title, capOf(known), ticketOf(known), raised, evidenceOf(known)];
    return `| ${cells.join(" | ")} |`;
  });
  const head = "| client | times out after | gets a ticket after | `install` raises it to | how that is known |";
  return [head, "|---|---|---|---|---|", ...rows].join("\n");
}

const capOf = (known: KnownClient | undefined) =>
  known === undefined
    ? "not known"
    : known.cap === null
      ? known.ticketAfter === null
        ? "not while progress comes"
        : "not known"
      : `${known.cap / 1_000} s`;
const ticketOf = (known: KnownClient | undefined) =>
  known === undefined ? "50 s" : known.ticketAfter === null ? "none needed" : `${known.ticketAfter / 1_000} s`;

function evidenceOf(known: KnownClient | undefined): string {
  if (known === undefined) return "treated as unknown";
  const { source, date, version, found } = known.evidence;
  return `${source} ${date}${version === undefined ? "" : `, version ${version}`}: ${found}`;
}

/** What is written for each client. */
export function clientSections(): string {
  return clients.map(section).join("\n\n");
}

function section(client: Client): string {
  const files = describeInstall(client, "user", launch) ?? [];
  const { project } = settingsFiles(client);
  const written = files.map(({ path, format, text }) => `${code(path)}:\n\n${fence(format, text)}`);
  const inProject = project === undefined ? `${client.title} has no project settings.` : `In a project the entry is in ${code(project)}.`;
  return [`## ${client.title}`, `${code(`askbox install ${client.name}`)} writes`, ...written, inProject].join("\n\n");
}

const fence = (format: string, text: string) =>
  `\`\`\`${format === "text" || format === "jsonc" ? "json" : format}\n${text.trim()}\n\`\`\``;
