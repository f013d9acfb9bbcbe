import type { ClientName } from "@askbox/home";
import type { DialectName } from "@askbox/mcp";
import type { FileChange } from "./plan.ts";

export const scopes = ["user", "project"] as const;
/** For one person everywhere, or for everybody who works in one folder. */
export type Scope = (typeof scopes)[number];

/** Where settings are looked for. */
export interface Place {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  home: string;
  /** The project's folder. */
  project: string;
  /** Whether there is such a file or folder. */
  exists(path: string): boolean;
  /** What the settings of a file hold, as far as it can be read. */
  settings(path: string): unknown;
}

/** How a client reaches askbox. */
export type Reach =
  | { kind: "stdio"; command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  /** `token`: only for clients that cannot take it from the environment. */
  | { kind: "http" | "sse"; url: string; token?: string | undefined };

/** What is to be set up. */
export interface Setup {
  scope: Scope;
  place: Place;
  reach: Reach;
  /** The tools that the server offers there. */
  tools: readonly DialectName[];
  /** Tell the agent to ask through askbox rather than with a tool of its own. */
  prefer: boolean;
  /** Take the client's own question tool away. */
  exclusive: boolean;
  /** Let the client start without askbox, where its entry would otherwise require it. */
  optional?: boolean | undefined;
  /** The line that runs askbox for a client's hook; absent without hooks. */
  hookCommand?: string | undefined;
  /** The line that carries the client's permission requests to the inbox, where it does not reach the hub by URL; absent without approvals. */
  approvals?: string | undefined;
  /** For a client that has new hooks reviewed: those of askbox. Absent if the client is to ask the person itself. */
  trusted?: TrustedHooks | undefined;
  /** The text of the skill; absent without it. */
  skill?: SkillTexts | undefined;
}

/** Hashes of hooks, by the client's keys of them. */
export type TrustedHooks = Readonly<Record<string, string>>;

export interface SkillTexts {
  /** A SKILL.md. */
  skill: string;
  /** The same for a file that agents read as a whole. */
  instruction: string;
}

/** What a worktree is prepared with. */
export interface WorktreeOptions {
  place: Place;
  /** The hub's `/sse`, with the agent's id in it; the token comes from the environment. */
  reach: Reach;
  tools: readonly string[];
  /** The file by which git ignores files of this clone alone; absent outside of a repository. */
  exclude?: string | undefined;
}

/** One client: where its settings are and what askbox's entry looks like there. */
export interface Client {
  name: ClientName;
  title: string;
  /** By these it is recognised on a machine: programs on the PATH, and folders it makes. */
  signs(place: Place): { programs: readonly string[]; folders: readonly string[] };
  /** The tools it is given unless others are asked for. */
  tools: readonly DialectName[];
  /** Its row in the table of limits. */
  limits: string | undefined;
  /** Seconds to which `install` raises its limit of a call; absent where it has no setting for it. */
  raisedTo?: number;
  /** Whether it takes a token from the environment; where not, it stands in its file. */
  tokenFromEnvironment: boolean;
  /** Whether its permission requests can come to the inbox. */
  takesApprovals?: boolean;
  /** Whether its entry requires askbox unless the setup says that it is optional. */
  takesOptional?: boolean;
  /** The file that holds the entry. Undefined where it has none in that scope. */
  file(place: Place, scope: Scope): string | undefined;
  /** Where the entry is in it. */
  entryAt(place: Place, file: string): readonly string[];
  /** All that is to be written. Throws `VALIDATION` for what the client does not offer. */
  changes(setup: Setup, file: string): FileChange[];
  /** What the client must be told to trust the setup's hooks without a review, given what its files will hold, by path; undefined if it can't be found out. */
  trust?(setup: Setup, texts: ReadonlyMap<string, string>): Promise<TrustedHooks | undefined>;
  /** All that an agent finds in a worktree that is prepared for it; absent where none can be. */
  worktree?(options: WorktreeOptions): FileChange[];
  /** What a person should know or do besides; one sentence each. */
  notes?(setup: Setup): string[];
}

/** The name of askbox's entry. */
export const entryName = "askbox";
/** The variable from which a client takes the token. */
export const tokenVariable = "ASKBOX_TOKEN";
