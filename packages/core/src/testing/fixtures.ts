import type { AskerInfo } from "../session/asker-info.ts";
import type { Outcome } from "../session/outcome.ts";
import { type AskRequest, recordSchemaVersion, type SessionRecord } from "../session/record.ts";

/** A request with one question of each of the contract's types, all required. */
export function anAsk(overrides: Partial<AskRequest> = {}): AskRequest {
  return {
    questions: [
      { id: "q_text", type: "text", question: "What should the new module be called?", required: true },
      {
        id: "q_select",
        type: "select",
        question: "Which database should it use?",
        required: true,
        options: [
          { label: "SQLite", value: "sqlite", recommended: true },
          { label: "Postgres", value: "postgres" },
        ],
        allowOther: true,
      },
      {
        id: "q_multi",
        type: "multi-select",
        question: "Which platforms should it support?",
        required: true,
        options: [
          { label: "Linux", value: "linux" },
          { label: "macOS", value: "macos" },
          { label: "Windows", value: "windows" },
        ],
        allowOther: true,
      },
      { id: "q_confirm", type: "confirm", question: "May it replace the old module?", required: true },
    ],
    title: "A new module",
    timeout: 300_000,
    ...overrides,
  };
}

/** An asker's description for tests; `overrides` replace parts of it. */
export function anAsker(overrides: Partial<AskerInfo> = {}): AskerInfo {
  return {
    client: { name: "test-client", version: "1.0.0" },
    project: "/home/ada/engine",
    branch: "main",
    agentId: "agent-1",
    ...overrides,
  };
}

/** A pending session with `anAsk`'s questions, ready to store. The id is always the same; pass another for a second session. */
export function aRecord(overrides: Partial<SessionRecord> = {}): SessionRecord {
  const createdAt = overrides.createdAt ?? 1_700_000_000_000;
  const request = overrides.request ?? anAsk();
  return {
    schema: recordSchemaVersion,
    revision: 1,
    id: "0123456789abcdefghjkmnpqrs",
    owner: "owner-1",
    scope: "scope-1",
    digest: "digest-1",
    asker: anAsker(),
    request,
    state: "pending",
    context: { deadlineAt: createdAt + request.timeout },
    createdAt,
    closedAt: null,
    delivery: { deliveredAt: null },
    requests: {},
    thread: [],
    ...overrides,
  };
}

/** Valid answers to `anAsk`, given at a terminal. */
export function anOutcome(overrides: Partial<Extract<Outcome, { kind: "answered" }>> = {}): Extract<Outcome, { kind: "answered" }> {
  return {
    kind: "answered",
    answers: [
      { questionId: "q_text", values: ["lathe"] },
      { questionId: "q_select", values: ["sqlite"] },
      { questionId: "q_multi", values: ["linux"], customText: "Plan 9" },
      { questionId: "q_confirm", values: ["yes"], note: "after the release" },
    ],
    by: { surface: "terminal", name: "ada" },
    at: 1_700_000_001_000,
    ...overrides,
  };
}

/** The next revision of the record, settled by the outcome and not delivered. By default it is answered a second after it was created. */
export function settled(record: SessionRecord, outcome: Outcome = anOutcome({ at: record.createdAt + 1_000 })): SessionRecord {
  return {
    ...record,
    revision: record.revision + 1,
    state: outcome.kind,
    context: { ...record.context, outcome },
    closedAt: outcome.at,
  };
}
