import { type Actor, type SessionView, surfaces } from "@askbox/core";
import { clientTitle, surfaceTitle } from "@askbox/core/clients";
import type { Ran } from "@askbox/core/grants";
import type { Denial } from "@askbox/core/questions";
import { type Described, type DescribedAsker, type DescribedOutcome, describeOutcome, type Ending } from "../describe/describe.ts";
import { longDuration } from "./times.ts";

/**
 * The English words for what `describe` tells: outcomes, actors, places, actions, kinds. Every surface takes them from here; the page's
 * English texts are made from the same tables, and its Chinese ones stand beside the page.
 *
 * Text from outside (names, folders, branches) goes through the surface's own `clean` before it stands in a sentence.
 */

/** How a surface makes text from outside safe to show on one line. */
export type Clean = (text: string) => string;

/** How a session ended, as a sentence without a full stop; `sentenceOf` says which. `{by}` is who and where, `{time}` a duration. */
export const outcomeSentences = {
  answered: "Answered {by}",
  allowed: "Allowed {by}",
  allowed_once: "Allowed once {by}",
  allowed_for: "Allowed for {time} {by}",
  denied: "Denied {by}",
  approved: "Plan approved {by}",
  kept: "Kept planning {by}",
  overruled: "Denial overruled {by}",
  agreed: "Denial agreed with {by}",
  declined: "Declined {by}",
  withdrawn: "Withdrawn by the agent",
  timed_out: "Nobody answered in time",
  replied: "Nobody answered in time; replied {by}",
  lost: "Settled",
} as const satisfies Record<Ending | "allowed_once" | "allowed_for", string>;

/** The same in a word or two, for marks and filters. */
export const endingNames = {
  answered: "Answered",
  allowed: "Allowed",
  denied: "Denied",
  approved: "Plan approved",
  kept: "Kept planning",
  overruled: "Overruled",
  agreed: "Agreed",
  declined: "Declined",
  withdrawn: "Withdrawn",
  timed_out: "Timed out",
  replied: "Replied",
  lost: "Settled",
} as const satisfies Record<Ending, string>;

/** What history can be narrowed to: what stores tell apart. */
export const historyNames = {
  answered: "Answered",
  denied: "Denied",
  cancelled: "Declined or withdrawn",
  timed_out: "Timed out",
} as const;

/** Who, and where: `{name}` is theirs, `{place}` one of `placeNames` or of another surface. */
export const actorPhrases = {
  person: "by {name} {place}",
  grant: "by the grant {name}",
  some_grant: "by a grant",
  asker: "by the agent",
  deadline: "by the deadline",
  form: "in {name} (reported from there)",
  elsewhere: "in {surface}",
} as const;

/** What let an action run without a person: `{client}` is the client's title, `{name}` what judges there, its mode, or the grant's id. */
export const letByPhrases = {
  model: "{client}'s {name}",
  rule: "a rule of {client}",
  mode: "{client} in its mode {name}",
  grant: "the grant {name}",
} as const;

/** What an action reaches. */
export const reachNames = { deletes: "deletes", network: "network", writes: "writes" } as const;

/** Where people answer. */
export const placeNames = {
  terminal: "in the terminal",
  web: "in the browser",
  cli: "on the command line",
  client: "in the agent's own form",
  api: "through the API",
} as const satisfies Record<(typeof surfaces)[number], string>;

/** What the parts of an action are called. */
export const actionLabels = {
  tool: "Tool",
  title: "The agent's description",
  command: "Command",
  cwd: "Folder",
  machine: "Machine",
  path: "File or URL",
  diff: "Changes",
  plan: "Plan",
  arguments: "Arguments",
} as const;

/** What is said of a model's denial, by its status, and what a person can do about it. `{reviewer}` is the model's name, in the client's words. */
export const denialPhrases = {
  denied: "Denied by {reviewer}",
  unavailable: "Denied, since {reviewer} gave no verdict",
  timed_out: "Denied, since {reviewer} took too long",
  aborted: "Denied, since {reviewer} was interrupted",
  risk: "risk: {risk}",
  authorization: "asked for by the user: {authorization}",
  overrule: "Overrule",
  agree: "Agree",
  words: "Agree, with words…",
  overruled: "Overruled; exactly this call may run once, within 15 minutes",
  agreed: "Agreed with the denial",
  keys: "Y (Shift y) overrules the denial, n agrees with it.",
  note: "The agent has gone on. Overruling lets exactly this call run once, within 15 minutes; a deny rule of the client still wins.",
} as const;

/** What a model's denial says, in a line: `Denied by auto mode · risk: high`. */
export function denialText({ status, reviewer, risk, authorization }: Denial, clean: Clean): string {
  const parts = [
    filled(denialPhrases[status], { reviewer: clean(reviewer) }),
    risk === undefined ? "" : filled(denialPhrases.risk, { risk: clean(risk) }),
    authorization === undefined ? "" : filled(denialPhrases.authorization, { authorization: clean(authorization) }),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Where an asker is, while a session is pending. */
export const presenceNames = { attached: "waiting", will_ask_again: "will ask again", away: "agent away" } as const;

/** Where asking the agent back stands. */
export const threadNames = { asked: "Asked; waiting for the agent", replied: "● Replied" } as const;

/** Fills `{name}`s; text that is filled in is not read again. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : whole));

/** Where something was done: `in the browser`, `in Telegram`. */
export function placeText(surface: string): string {
  const known = surfaces.find((each) => each === surface);
  return known === undefined ? filled(actorPhrases.elsewhere, { surface: surfaceTitle(surface) }) : placeNames[known];
}

/** Who did it, and where: `by Ada in the browser`. */
export function actorText({ surface, name }: Actor, clean: Clean): string {
  if (surface === "asker" || surface === "deadline") return actorPhrases[surface];
  if (surface === "grant") return name === undefined ? actorPhrases.some_grant : filled(actorPhrases.grant, { name: clean(name) });
  if (name === undefined) return placeText(surface);
  // What the client says of its own form or prompt; nobody else has seen it.
  if (surface === "client") return filled(actorPhrases.form, { name: clean(clientTitle(name)) });
  return filled(actorPhrases.person, { name: clean(name), place: placeText(surface) });
}

/** Which of `letByPhrases` tells it. */
export const letByOf = ({ kind, name = "default" }: Ran["by"]): keyof typeof letByPhrases =>
  kind === "rule" && name !== "default" ? "mode" : kind;

/** What let an action run: `Claude Code's auto mode`. */
export const letByText = ({ by, client }: Pick<Ran, "by" | "client">, clean: Clean): string =>
  filled(letByPhrases[letByOf(by)], { client: clean(clientTitle(client)), name: clean(by.name ?? "") });

/** Which of `outcomeSentences` tells an outcome. What a grant allows was not allowed once, nor what an agent remembers. */
export function sentenceOf({ ending, by, lasts, own }: DescribedOutcome): keyof typeof outcomeSentences {
  if (ending !== "allowed") return ending;
  return lasts !== undefined ? "allowed_for" : by?.surface === "grant" || own !== undefined ? "allowed" : "allowed_once";
}

/** How a session ended, without a full stop: `Denied by Ada in the browser`. */
export function outcomeText(outcome: DescribedOutcome, clean: Clean): string {
  const { by, lasts = 0 } = outcome;
  return filled(outcomeSentences[sentenceOf(outcome)], { by: by === undefined ? "" : actorText(by, clean), time: longDuration(lasts) });
}

/** The same in a word or two: `Denied`, `Allowed for 8 hours`. */
export function endingText(outcome: DescribedOutcome): string {
  const { ending, lasts = 0 } = outcome;
  if (ending !== "allowed") return endingNames[ending];
  return filled(outcomeSentences[sentenceOf(outcome)], { by: "", time: longDuration(lasts) }).trim();
}

/** What a person did by sending these answers: `Denied`, `Allowed once`, `Sent`. */
export function sentText(outcome: DescribedOutcome): string {
  return outcome.ending === "answered" ? "Sent" : endingText(outcome);
}

/** How a session stands: how it ended, or that it is still open. */
export const outcomeTextOf = (session: SessionView, clean: Clean): string =>
  session.status === "pending" ? "Still open" : outcomeText(describeOutcome(session), clean);

/** The agent: `Claude Code (tests)`. */
export function agentText({ agent, agentId }: DescribedAsker, clean: Clean): string {
  const name = clean(agent) || "an agent";
  return agentId === undefined ? name : `${name} (${clean(agentId)})`;
}

/** Which machine it runs on, of another than the hub's own. */
export const machinePhrase = "on {machine}";
/** The same for one that is known: `on build-7`. */
export const machineText = (machine: string, clean: Clean): string => filled(machinePhrase, { machine: clean(machine) });

/** Where it works: `engine (main)`, or `engine (main) on build-7`; empty if nothing is known. */
export function projectText({ folder, branch, machine }: Partial<DescribedAsker>, clean: Clean): string {
  const shown = folder === undefined ? "" : clean(folder);
  const place = branch === undefined ? shown : `${shown} (${clean(branch)})`.trim();
  return machine === undefined ? place : `${place} ${machineText(machine, clean)}`.trim();
}

/** What it asks on one line: what would be done, else its title, else its first question, with the number of questions if there are several. */
export function headlineText(
  { action, title, question, count }: Described["what"],
  { exact, clean }: { exact: Clean; clean: Clean },
): string {
  const text = (action === undefined ? "" : exact(action)) || clean(title ?? "") || clean(question);
  return count > 1 ? `${text} (${count} questions)` : text;
}
