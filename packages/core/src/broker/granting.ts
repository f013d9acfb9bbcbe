import { grantsOf } from "../grants/making.ts";
import { actionDigest, isWithin, matchingGrant } from "../grants/matching.ts";
import { answererSchema } from "../session/actor.ts";
import type { Answer } from "../session/answer.ts";
import type { SessionRecord } from "../session/record.ts";
import type { RealPath } from "./broker.ts";
import { applyEvent } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/** The new session: already answered if people's grants allow everything that it asks for. */
export async function withGrants(context: BrokerContext, record: SessionRecord): Promise<SessionRecord> {
  const { grants, digest, clock, realPath } = context;
  const { questions } = record.request;
  if (!questions.every((question) => "action" in question)) return record;
  const known = await grants.list();
  if (known.length === 0) return record;
  const { asker } = record;
  const answers: Answer[] = [];
  let name: string | undefined;
  for (const question of questions) {
    if (!("action" in question)) return record;
    const { action } = question;
    const request = { asker, action, digest: await actionDigest(digest, action) };
    let grant = matchingGrant(known, request, clock.now());
    if (grant?.match.type === "prefix" && !(await runsWithin(realPath, action.cwd, grant.project))) {
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

/** Whether a folder is within a project once links are resolved. One that cannot be resolved is not. */
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
