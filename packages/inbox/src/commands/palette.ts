import type { AskerInfo, Grant, SessionView } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { folderName } from "../list/selectors.ts";
import { type SnoozeChoice, snoozeChoices } from "../list/snooze-choices.ts";
import { type Grouping, groupSessions } from "../list/triage.ts";

/** What a palette offers on every surface, which adds its own pages and settings, and gives each its words. */
export type PaletteItem =
  | { does: "snooze"; session: SessionView; choice: SnoozeChoice }
  | { does: "copy id"; session: SessionView }
  /** Copies the command that resumes the agent; `about` is the question that it belongs to, if it is that one's. */
  | { does: "copy resume"; agent: Conversation; command: string; about?: SessionView }
  | { does: "open"; session: SessionView }
  | { does: "only"; by: Grouping; value: string }
  | { does: "show all" }
  | { does: "show agent"; agent: Conversation }
  | { does: "revoke"; grant: Grant };

/** About the question that is open or under the cursor, if any; then each question that waits, to open it. */
export function questionItems(
  current: SessionView | undefined,
  sessions: readonly SessionView[],
  agents: readonly Conversation[],
  now: number,
): PaletteItem[] {
  return [
    ...(current === undefined ? [] : aboutOne(current, agents, now)),
    ...sessions.map((session) => ({ does: "open", session }) as const),
  ];
}

function aboutOne(session: SessionView, agents: readonly Conversation[], now: number): PaletteItem[] {
  const agent = agents.find(({ sessions: asked }) => asked.some(({ id }) => id === session.id));
  const choices = session.status === "pending" ? snoozeChoices([session], now) : [];
  return [
    ...choices.map((choice) => ({ does: "snooze", session, choice }) as const),
    { does: "copy id", session },
    ...(agent?.resume === undefined ? [] : [{ does: "copy resume", agent, command: agent.resume.command, about: session } as const]),
  ];
}

/** Filters of the list, agents, and grants to revoke. */
export function otherItems(sessions: readonly SessionView[], agents: readonly Conversation[], grants: readonly Grant[]): PaletteItem[] {
  const only = (by: Grouping) =>
    groupSessions(sessions, by).flatMap(({ value }) => (value === undefined ? [] : [{ does: "only", by, value } as const]));
  return [
    ...only("project"),
    ...only("agent"),
    ...only("machine"),
    { does: "show all" },
    ...agents.map((agent) => ({ does: "show agent", agent }) as const),
    ...agents.flatMap((agent) =>
      agent.resume === undefined ? [] : [{ does: "copy resume", agent, command: agent.resume.command } as const],
    ),
    ...grants.map((grant) => ({ does: "revoke", grant }) as const),
  ];
}

/** Where an agent works: folder, branch and machine, after other words about it. */
export const placeAfter = (words: string, { project, branch, machine }: Pick<AskerInfo, "project" | "branch" | "machine">): string =>
  [words, project === undefined ? undefined : folderName(project), branch, machine].filter((part) => part !== undefined).join(" · ");

/** Who asks a question, and where. */
export const askedFrom = ({ asker }: SessionView): string => placeAfter(clientTitle(asker.client.name), asker);

/** The texts by which a command is found. */
export interface CommandText {
  label: string;
  /** More words that are shown. */
  detail?: string;
  /** Words that are only found, such as others for the same. */
  synonyms?: string;
}

/** The commands that contain each of the words, those that begin with them first. */
export function matchingCommands<Command extends CommandText>(commands: readonly Command[], query: string): Command[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const all = commands.filter(({ label, detail = "", synonyms = "" }) => {
    const text = `${label} ${detail} ${synonyms}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ label }: Command) => label.toLowerCase().startsWith(words.join(" "));
  return [...all.filter(begins), ...all.filter((command) => !begins(command))];
}
