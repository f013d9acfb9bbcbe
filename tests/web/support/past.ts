import {
  type AnswerSet,
  type AskerInfo,
  type AskInput,
  checkAnswers,
  type Outcome,
  parseAsk,
  type SessionRecord,
  type SessionStore,
  type Surface,
  standardPlatform,
} from "@askbox/core";
import { recordSchemaVersion } from "@askbox/core/stores";

const { ids } = standardPlatform(globalThis);

/** A session that settled before the test started. Times are wall time in ms since the epoch. */
export interface PastSession {
  input: AskInput;
  client?: string;
  project?: string;
  branch?: string;
  agentId?: string;
  askedAt: number;
  /** How long it took to settle, in ms. Default 60,000. */
  after?: number;
  ended:
    | { kind: "answered"; answers: AnswerSet["answers"]; comment?: string }
    | { kind: "cancelled"; reason?: string }
    | { kind: "withdrawn" }
    | { kind: "timed_out"; reply?: AnswerSet };
  by?: { surface: Surface; name?: string };
  /** Whether the agent has received the outcome. Default true. */
  delivered?: boolean;
}

/** Stores a settled session and returns its id. Answers must be valid. */
export async function addPast(store: SessionStore, past: PastSession): Promise<string> {
  const record = recordOf(past);
  await store.insert(record);
  return record.id;
}

function recordOf({
  client = "claude-code",
  project,
  branch,
  agentId,
  askedAt,
  after = 60_000,
  ended,
  ...rest
}: PastSession): SessionRecord {
  const { by = { surface: "terminal", name: "Ada" }, delivered = true } = rest;
  const request = parseAsk(rest.input, { ids });
  const closedAt = askedAt + after;
  const asker: AskerInfo = {
    client: { name: client, version: "2.1.0" },
    project,
    branch,
    agentId,
  };
  const outcome: Outcome = (() => {
    switch (ended.kind) {
      case "answered":
        return { ...ended, answers: valid(request, ended.answers), by, at: closedAt };
      case "cancelled":
        return { ...ended, by, at: closedAt };
      case "withdrawn":
        return { kind: "cancelled", by: { surface: "asker" }, at: closedAt };
      case "timed_out":
        return { kind: "timedOut", by: { surface: "deadline" }, at: closedAt };
    }
  })();
  const reply = ended.kind === "timed_out" && ended.reply !== undefined ? ended.reply : undefined;
  return {
    schema: recordSchemaVersion,
    revision: 2,
    id: ids.session(),
    owner: "agents",
    scope: client,
    digest: ids.session(),
    asker,
    request,
    requests: {},
    thread: [],
    state: outcome.kind,
    context: { deadlineAt: askedAt + request.timeout, outcome },
    createdAt: askedAt,
    closedAt,
    ...(outcome.kind === "answered" && { seenAt: askedAt + Math.min(after, 4_000) }),
    delivery: { deliveredAt: delivered ? closedAt + 40 : null },
    ...(reply !== undefined && {
      reply: {
        answers: valid(request, reply.answers),
        comment: reply.comment,
        by,
        at: closedAt + 300_000,
      },
    }),
  };
}

function valid({ questions }: SessionRecord["request"], answers: AnswerSet["answers"]): AnswerSet["answers"] {
  const checked = checkAnswers(questions, answers);
  if (checked.ok) return checked.answers;
  throw new Error(checked.issues.map(({ questionId, message }) => `${questionId}: ${message}`).join(" "));
}
