import { canonicalJson } from "../exact-json.ts";
import type { Grant } from "../ports/grants.ts";
import type { Digest } from "../ports/platform.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { exactAction, otherArguments } from "../session/questions/action.ts";
import type { Action } from "../session/questions/schemas.ts";
import { startsWith, wordsOfPlainCommand } from "./prefixes.ts";

/** An action and its asker. */
export interface Request {
  asker: AskerInfo;
  /** Whose asks they are; tells machines apart. */
  owner?: string | undefined;
  action: Action;
  /** The action's digest, from `actionDigest`. */
  digest: string;
}

/** Equal for equal executions only: covers every part of an action but its title, which is only shown. */
export function actionDigest(digest: Digest, action: Action): Promise<string> {
  return digest(canonicalJson(exactAction(action)));
}

/** The grant that allows this action now; the oldest of several. Takes a command's folder for what its path says. */
export function matchingGrant(grants: readonly Grant[], request: Request, now: number): Grant | undefined {
  let words: { of: string[] | undefined } | undefined;
  const read = () => {
    words ??= { of: wordsOfCommand(request.action) };
    return words.of;
  };
  return grants.find((grant) => isFor(grant, request, now) && matches(grant, request, read));
}

function isFor(grant: Grant, { asker, owner, action }: Request, now: number): boolean {
  const { client, project, conversation, kind, tool, scope, expiresAt } = grant;
  return (
    isOfMachine(grant, asker, owner) &&
    now < expiresAt &&
    asker.client.name === client &&
    asker.project === project &&
    action.kind === kind &&
    (tool === undefined || action.tool === tool) &&
    (scope === "project" || (conversation !== undefined && asker.conversation === conversation))
  );
}

/**
 * The same path on another machine is another folder, and who runs that machine is another stranger. A grant that names none is for the hub's
 * own; any other is for the machine that it was given to, whatever that is called now: its name may go to another.
 */
function isOfMachine({ machine, owner }: Grant, asker: AskerInfo, askedBy: string | undefined): boolean {
  return machine === undefined ? asker.machine === undefined : asker.machine !== undefined && owner !== undefined && owner === askedBy;
}

function matches(
  { match, project }: Grant,
  { action: { cwd, command }, digest }: Request,
  words: () => readonly string[] | undefined,
): boolean {
  if (match.type === "exact") return match.digest === digest;
  if (cwd !== undefined && !isWithin(cwd, project)) return false;
  // In a project of Windows, cmd.exe may run it: single quotes are none there, and variables stand between percent signs.
  if (!project.startsWith("/") && /['%]/.test(command ?? "")) return false;
  const wanted = wordsOfPrefix(match.prefix);
  const actual = wanted && words();
  return actual !== undefined && startsWith(actual, wanted ?? []);
}

/** The words of an action that is nothing but a plain command; undefined for any other. */
function wordsOfCommand(action: Action): string[] | undefined {
  const { command, path, diff, text } = action;
  if (command === undefined || [path, diff, text].some((part) => part !== undefined)) return undefined;
  // Any other argument may change what the command does, such as disable its sandbox.
  const isBare = otherArguments(action).every(([name, value]) => name === "timeout" && typeof value === "number");
  return isBare ? wordsOfPlainCommand(command) : undefined;
}

/** More prefixes than there can be grants. */
const keptPrefixes = 2_000;
const knownPrefixes = new Map<string, string[] | undefined>();

function wordsOfPrefix(prefix: string): string[] | undefined {
  if (!knownPrefixes.has(prefix)) {
    if (knownPrefixes.size >= keptPrefixes) knownPrefixes.clear();
    knownPrefixes.set(prefix, wordsOfPlainCommand(prefix));
  }
  return knownPrefixes.get(prefix);
}

/** Whether a folder is another one or below it, as far as its path says. */
export function isWithin(folder: string, project: string): boolean {
  if (folder.split(/[\\/]/).includes("..")) return false;
  return folder === project || folder.startsWith(project.endsWith("/") ? project : `${project}/`);
}
