import { AskboxError } from "../errors.ts";
import { actionDigest, isWithin, matchingGrant } from "../grants/matching.ts";
import { beginsWith } from "../grants/prefixes.ts";
import { ranParts } from "../grants/reach.ts";
import type { Grant } from "../ports/grants.ts";
import type { Digest } from "../ports/platform.ts";
import type { Answer } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { type Answerer, answererSchema } from "../session/outcome.ts";
import { readGrantValue } from "../session/questions/grant-value.ts";
import type { Action } from "../session/questions/schemas.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { cut, quote } from "../texts.ts";
import type { RealPath } from "./broker.ts";
import { applyEvent } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/**
 * What people allow in advance: a new session whose actions are all granted is answered as it is stored, since it must never be pending
 * (`withGrants`); a person's answer may make a grant (`keepGrants`). Only what its asker can be bound to is offered, and only an exact action,
 * or the beginning of a plain command, is allowed. Loaded with the first approval.
 */

/** The new session: already answered if people's grants allow everything that it asks for. */
export async function withGrants(context: BrokerContext, record: SessionRecord): Promise<SessionRecord> {
  const { grants, digest, clock, realPath } = context;
  const { questions } = record.request;
  // A grant would have been applied before a model was asked; whether it is overruled, a person decides.
  if (!questions.every((question) => "action" in question && question.denial === undefined)) return record;
  const known = await grants.list();
  if (known.length === 0) return record;
  const { asker, owner } = record;
  const answers: Answer[] = [];
  let name: string | undefined;
  for (const question of questions) {
    if (!("action" in question)) return record;
    const { action } = question;
    const request = { asker, owner, action, digest: await actionDigest(digest, action) };
    let grant = matchingGrant(known, request, clock.now());
    if (
      grant?.match.type === "prefix" &&
      !(await runsWithin(asker.machine === undefined ? realPath : undefined, action.cwd, grant.project))
    ) {
      // Every other prefix is for the same project.
      const exact = known.filter(({ match }) => match.type === "exact");
      grant = matchingGrant(exact, request, clock.now());
    }
    if (grant === undefined) return record;
    name = grant.id;
    answers.push({ questionId: question.id, values: ["allow"] });
  }
  return applyEvent(record, { type: "ANSWER", answers, by: { surface: "grant", name }, at: clock.now() }) ?? record;
}

/** Adds what grants have just allowed to what ran without a person. Nobody waits for that, and the decision counts even if it fails. */
export function noteRan({ ran, log }: BrokerContext, { id, asker, request, context: { outcome } }: SessionRecord): void {
  if (outcome?.kind !== "answered" || outcome.by.surface !== "grant") return;
  const { project, machine, conversation, agentId, client } = asker;
  const by = { kind: "grant", name: outcome.by.name } as const;
  const rows = request.questions.flatMap((question) =>
    "action" in question
      ? [{ at: outcome.at, by, client: client.name, project, machine, conversation, agentId, ...ranParts(question.action) }]
      : [],
  );
  ran.add(rows).catch((error: unknown) => log("warn", "What a grant allowed could not be listed", { sessionId: id, error: String(error) }));
}

/** Whether a folder is within a project once links are resolved. One that cannot be resolved is not, such as one of another machine. */
async function runsWithin(realPath: RealPath | undefined, cwd: string | undefined, project: string): Promise<boolean> {
  if (cwd === undefined || cwd === project) return true;
  const [folder, root] = await Promise.all([realPath?.(cwd), realPath?.(project)]);
  return folder !== undefined && root !== undefined && isWithin(folder, root);
}

/** Stores the grants that come with an answer. The answer counts even if that fails. */
export async function keepGrants({ grants, digest, log }: BrokerContext, record: SessionRecord): Promise<void> {
  const { outcome } = record.context;
  const by = answererSchema.safeParse(outcome?.by).data;
  if (outcome?.kind !== "answered" || by === undefined) return;
  const { answers, at } = outcome;
  try {
    const made = await grantsOf(record, { answers, by, at }, digest);
    for (const grant of made) await grants.add(grant);
  } catch (error) {
    log("warn", "A grant could not be saved; its action will be asked about again", { sessionId: record.id, error: String(error) });
  }
}

/** The same questions, offering only grants that its asker can be bound to. */
export function withBoundGrants(request: AskRequest, asker: AskerInfo): AskRequest {
  const questions = request.questions.map((question) => {
    if (!("action" in question) || question.grants === undefined) return question;
    const { grants, ...rest } = question;
    const offered = grants.filter(({ value }) => missingFor(readGrantValue(value)?.scope, asker) === undefined);
    return offered.length === 0 ? rest : { ...rest, grants: offered };
  });
  return { ...request, questions };
}

/**
 * Throws `VALIDATION` for an answer whose grant cannot be stored: its words are not how the command begins, or the asker did not name what
 * it would be bound to. Earlier versions stored questions that offer such grants.
 */
export function refuseGrant({ asker, request }: SessionRecord, answers: readonly Answer[]): void {
  for (const { questionId, values } of answers) {
    const question = request.questions.find(({ id }) => id === questionId);
    if (question === undefined || !("action" in question)) continue;
    const { prefix, scope } = readGrantValue(values[0] ?? "") ?? {};
    const { kind, command = "" } = question.action;
    if (prefix !== undefined && (kind !== "command" || prefix.length > 500 || !beginsWith(command, prefix)))
      throw new AskboxError("VALIDATION", `${quote(prefix)} is not how this action's plain command begins.`);
    const missing = missingFor(scope, asker);
    if (missing !== undefined) throw new AskboxError("VALIDATION", `Allow it once: its agent did not say which ${missing} it works in.`);
  }
}

/** What the asker did not name, of that to which a grant of this scope is bound. */
function missingFor(scope: Grant["scope"] | undefined, { project, conversation }: AskerInfo): "project" | "conversation" | undefined {
  if (scope !== undefined && project === undefined) return "project";
  return scope === "session" && conversation === undefined ? "conversation" : undefined;
}

const maxShown = 2_000;

/** The grants that a person's answer creates; usually none. */
async function grantsOf(
  { id, owner, asker, request }: SessionRecord,
  { answers, by, at }: { answers: readonly Answer[]; by: Answerer; at: number },
  digest: Digest,
): Promise<Grant[]> {
  const made = request.questions.map(async (question): Promise<Grant | undefined> => {
    const value = answers.find(({ questionId }) => questionId === question.id)?.values[0];
    const wish = value === undefined || !("action" in question) ? undefined : readGrantValue(value);
    if (wish === undefined || !("action" in question)) return undefined;
    const { project, conversation, client, machine } = asker;
    const { scope, duration, prefix } = wish;
    if (project === undefined) return undefined;
    const { action } = question;
    return {
      // The same however often the answer is sent.
      id: `${id}-${request.questions.indexOf(question) + 1}`,
      scope,
      client: client.name,
      project,
      ...(machine !== undefined && { machine, owner }),
      ...(scope === "session" && { conversation }),
      kind: action.kind,
      ...(prefix === undefined ? await exactly(action, digest) : { match: { type: "prefix", prefix }, shown: `${prefix} …` }),
      by,
      sessionId: id,
      createdAt: at,
      expiresAt: at + duration,
    };
  });
  return (await Promise.all(made)).filter((grant) => grant !== undefined);
}

const exactly = async (action: Action, digest: Digest): Promise<Pick<Grant, "tool" | "match" | "shown" | "cwd">> => ({
  ...(action.tool !== undefined && { tool: action.tool }),
  match: { type: "exact", digest: await actionDigest(digest, action) },
  shown: shownOf(action),
  ...(action.cwd !== undefined && { cwd: action.cwd }),
});

/** Describes an action in a list of grants. */
function shownOf({ command, path, text, tool, input, inputJson }: Action): string {
  const shown = command ?? path ?? text ?? `${tool ?? ""} ${inputJson ?? JSON.stringify(input ?? {})}`.trim();
  return cut(shown, maxShown);
}
