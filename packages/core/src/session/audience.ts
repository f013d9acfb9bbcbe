import type { SessionRecord } from "./record.ts";
import type { SessionView } from "./view.ts";

/**
 * For whom each stored field of a session is. A new field of the record doesn't compile until it has a row here: with the fields of the view that
 * people see it in, or with the reason why nobody does; and whether the asker may learn it. An agent's result is made of `AskersRecord` alone, and
 * the hub's account for askers over REST leaves out `PeoplesField`, so that what is for people only gets into neither.
 */

interface Row {
  /** The fields of `SessionView` that say it; a sentence if people don't see it. */
  people: keyof SessionView | readonly (keyof SessionView)[] | `not shown: ${string}`;
  /** Whether the agent that asked may learn it. */
  asker: boolean;
}

type Complete<Rows extends { [Field in keyof Required<SessionRecord>]: Row }> = Rows;

type Audience = Complete<{
  schema: { people: "not shown: the store's own"; asker: false };
  revision: { people: "revision"; asker: true };
  id: { people: "id"; asker: true };
  key: { people: "key"; asker: true };
  owner: { people: "not shown: a token's id"; asker: false };
  scope: { people: "not shown: a digest"; asker: false };
  digest: { people: "not shown: a digest"; asker: false };
  asker: { people: "asker"; asker: true };
  request: { people: ["title", "questions"]; asker: true };
  state: { people: "status"; asker: true };
  context: { people: ["deadlineAt", "outcome"]; asker: true };
  createdAt: { people: "createdAt"; asker: true };
  closedAt: { people: "closedAt"; asker: true };
  seenAt: { people: "seenAt"; asker: true };
  snoozed: { people: "snoozedUntil"; asker: false };
  delivery: { people: "delivery"; asker: true };
  reply: { people: "reply"; asker: true };
  usedAt: { people: "thread"; asker: true };
  waking: { people: "waking"; asker: false };
  earlierAnswer: { people: "earlierAnswer"; asker: true };
  thread: { people: "thread"; asker: true };
  replaces: { people: "replaces"; asker: true };
  replacedBy: { people: "replacedBy"; asker: true };
  requests: { people: "not shown: keys of requests"; asker: false };
}>;

type FieldsWhere<IsForAskers extends boolean> = {
  [Field in keyof Audience]: Audience[Field]["asker"] extends IsForAskers ? Field : never;
}[keyof Audience];
type FieldsOfView<People> = People extends readonly (infer Each)[] ? Each : People;

/** What of a session its asker may learn. */
export type AskersRecord = Pick<SessionRecord, FieldsWhere<true>>;

/** Fields of the view that say what only people may learn: those of the record, and an answer that can still be undone. */
export type PeoplesField = Extract<FieldsOfView<Audience[FieldsWhere<false>]["people"]>, keyof SessionView> | "scheduled";
