import { canonicalJson } from "../exact-json.ts";
import type { Digest } from "../ports/digest.ts";
import type { Grant } from "../ports/grants.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { exactAction } from "../session/exact-action.ts";
import { type Action, otherArguments } from "../session/questions/action.ts";
import { beginsWith } from "./plain-command.ts";

/** An action and its asker. */
export interface Request {
  asker: AskerInfo;
  action: Action;
  /** The action's digest, from `actionDigest`. */
  digest: string;
}

/** Equal for equal executions only: covers every part of an action but its title, which is only shown. */
export function actionDigest(digest: Digest, action: Action): Promise<string> {
  return digest(canonicalJson(exactAction(action)));
}

/** The grant that allows this action now; the oldest of several. */
export function matchingGrant(grants: readonly Grant[], request: Request, now: number): Grant | undefined {
  return grants.find((grant) => isFor(grant, request, now) && matches(grant, request));
}

function isFor({ client, project, conversation, kind, tool, scope, expiresAt }: Grant, { asker, action }: Request, now: number): boolean {
  return (
    now < expiresAt &&
    asker.client.name === client &&
    asker.project === project &&
    action.kind === kind &&
    (tool === undefined || action.tool === tool) &&
    (scope === "project" || (conversation !== undefined && asker.conversation === conversation))
  );
}

function matches({ match, project }: Grant, { action, digest }: Request): boolean {
  if (match.type === "exact") return match.digest === digest;
  const { command, cwd, path, diff, text } = action;
  if (command === undefined || [path, diff, text].some((part) => part !== undefined)) return false;
  // Any other argument may change what the command does, such as disable its sandbox.
  const isBare = otherArguments(action).every(([name, value]) => name === "timeout" && typeof value === "number");
  return isBare && (cwd === undefined || isWithin(cwd, project)) && beginsWith(command, match.prefix);
}

function isWithin(folder: string, project: string): boolean {
  if (folder.split(/[\\/]/).includes("..")) return false;
  return folder === project || folder.startsWith(project.endsWith("/") ? project : `${project}/`);
}
