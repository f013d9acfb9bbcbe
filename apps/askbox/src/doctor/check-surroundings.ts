import { resolve } from "node:path";
import { clientStatuses, clients, editorAgents, systemOf } from "@askbox/clients";
import { type KnownClient, knownCalls } from "@askbox/core/clients";
import { type Config, knownAgent } from "@askbox/home";
import { attentionProblems, defaultAttention, notifiesAnyone } from "@askbox/notify";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, found, ok, type Surroundings, warn } from "./finding.ts";

/*
 * What surrounds the hub: this program and its Node, how a person is notified, the clients on this machine and whose requests they pass on.
 * Nothing here fails the doctor, except a check that can't be carried out.
 */

export function checkVersions({ version, env }: Surroundings): Finding[] {
  const finding = ok("versions", `askbox ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}.`);
  const agent = knownAgent(env);
  if (agent === undefined) return [finding];
  return [finding, ok("agent", `This is ${terminalLine(agent)}'s shell: you can ask questions here, but not answer them.`)];
}

/** Whether a person would be notified of a question. */
export function checkAttention(config: Config | undefined, { env }: Surroundings): Promise<Finding[]> {
  return found("attention", async () => {
    const { platform } = process;
    const mode = config?.attention ?? defaultAttention({ env, platform });
    const modes = new Set([mode, ...(config?.attentionFor ?? []).flatMap(({ attention = [] }) => attention)]);
    const settings = { command: config?.attentionCommand };
    const problems = (await Promise.all([...modes].map((each) => attentionProblems({ mode: each, settings, env, platform })))).flat();
    if (problems.length > 0) return problems.map((sentence) => warn("attention", terminalLine(sentence)));
    if (!notifiesAnyone(mode)) {
      return [
        ok(
          "attention",
          "You are not notified of questions on this machine; check with `askbox list`, or run: askbox config set attention notify.",
        ),
      ];
    }
    return [ok("attention", `You are notified of questions by ${mode}.`)];
  });
}

/** The call timeouts of this machine's clients, as far as known, for information: they are configured in the client. */
export function listClients({ env }: Pick<Surroundings, "env">): Promise<Finding[]> {
  return found("clients", () => {
    const here = clientStatuses(systemOf({ env, project: resolve(".") })).filter(({ found, setUp }) => found || setUp.length > 0);
    if (here.length === 0) return [ok("clients", "None of the clients that askbox knows seems to be installed here.")];
    return here.flatMap(({ client, title }) => {
      const known = knownCalls(client);
      if (known === undefined) return ok("clients", `The limit of ${title} is not known: a call gets a ticket after 50 s.`);
      return ok("clients", `${limitOf(known)}, unless askbox mcp has --max-wait.`);
    });
  });
}

/** A client's timeout, when it gets a ticket, and the source of these figures. */
export function limitOf({ name, ticketAfter, cap, evidence }: KnownClient): string {
  const limit = cap === null ? "waits while progress arrives" : `times out after ${cap / 1_000} s`;
  const back = ticketAfter === null ? "needs no ticket" : `gets a ticket after ${ticketAfter / 1_000} s`;
  const { source, date, version } = evidence;
  return `${name}${version === undefined ? "" : ` ${version}`} ${limit} and ${back} (${source} ${date})`;
}

/** Agents that editors start through askbox, and those of them that ask nothing. */
export function checkEditors({ env }: Pick<Surroundings, "env">): Promise<Finding[]> {
  return found("acp", () =>
    editorAgents(systemOf({ env, project: resolve(".") })).map(({ editor, name, file, silent }) =>
      silent === undefined
        ? ok("acp", terminalLine(`${editor} starts ${name}, by ${file}.`))
        : warn("acp", terminalLine(`${editor} starts ${name}, but ${silent}`)),
    ),
  );
}

/** Clients whose requests should come to the inbox: what comes, and what they decide by themselves. */
export function checkApprovals({ env }: Pick<Surroundings, "env">): Promise<Finding[]> {
  return found("approvals", () => {
    const system = systemOf({ env, project: resolve(".") });
    return clients.flatMap(({ name, title, mode, hooked, decides }) => {
      const { approvals = false, forms, denials = false } = hooked?.(system, "user") ?? {};
      if (!approvals) return [];
      const again = `run: askbox install ${name} --approvals`;
      const missing = [...(forms === false ? ["the forms of its MCP servers"] : []), ...(denials ? [] : ["what a model has denied"])];
      const come = `${title}'s permission requests${forms === true ? " and the forms of its MCP servers" : ""} come to the inbox`;
      const findings = [
        missing.length === 0
          ? ok("approvals", `${come}.`)
          : warn("approvals", `${come}, but not ${missing.join(" and ")}. For that, ${again}`),
      ];
      const decided = decides?.(system, "user");
      if (decided === undefined) return findings;
      const { file, at, value, asks, words } = decided;
      const state = value === undefined ? `${at} is not set in ${file}` : `${at} is ${JSON.stringify(value)} in ${file}`;
      const sentence = terminalLine(`${title}: ${state}, so ${words}.`);
      if (asks) return [...findings, ok("approvals", sentence)];
      const hint = mode === undefined ? "" : ` To be asked, ${again} --ask-first`;
      return [...findings, warn("approvals", `${sentence}${hint}`)];
    });
  });
}
