import type { Desk, Idempotent } from "../../ports/desk.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { SessionView } from "../../session/view.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { ada, ask, type Inbox, type PortsHarness, portsCase, validSet } from "../ports-harness.ts";

/**
 * What a person does takes effect once, however often its request is sent: a connection may break after the hub has done it and before it has
 * said so. Two tables hold all methods of a desk, so that a new one doesn't compile until it is in one of them: with a request that is
 * repeated here, or with the reason why it needs no key.
 */

type LastOf<Params extends readonly unknown[]> = Params extends readonly [...unknown[], infer Last] ? Last : unknown;
/** The methods whose options take an idempotency key. */
type Repeatable = {
  [Method in keyof Desk]: keyof Idempotent extends keyof LastOf<Required<Parameters<Desk[Method]>>> ? Method : never;
}[keyof Desk];

/** Methods that take no key, and why a repeated request does no harm. */
export const withoutKey = {
  list: "reads",
  get: "reads",
  tally: "reads",
  watch: "reads, until it is closed",
  getDraft: "reads",
  conversations: "reads",
  phrases: "reads",
  outlook: "reads",
  wake: "wakes at most once for the same, however often it is asked to",
  saveDraft: "writes the same words again",
  attend: "says the same again, until it is left",
} as const satisfies Record<Exclude<keyof Desk, Repeatable>, string>;

interface Attempt {
  /** What has happened before; default nothing. */
  before?(inbox: Inbox, desk: Desk, session: SessionRecord): Promise<unknown>;
  request(desk: Desk, session: SessionRecord, options: Required<Idempotent>): Promise<SessionView>;
}

/** How each method that takes a key is called. */
const attempts: { readonly [Method in Repeatable]: Attempt } = {
  answer: { request: (desk, { id }, options) => desk.answer(id, validSet(), options) },
  recall: {
    before: (_, desk, { id }) => desk.answer(id, validSet(), { delay: 5_000 }),
    request: (desk, { id }, options) => desk.recall(id, options),
  },
  cancel: { request: (desk, { id }, options) => desk.cancel(id, options) },
  extend: { request: (desk, { id }, options) => desk.extend(id, { timeout: 600_000, ...options }) },
  snooze: { request: (desk, { id, createdAt }, options) => desk.snooze(id, { until: createdAt + 60_000, ...options }) },
  reply: {
    before: (inbox) => inbox.advance(100_100),
    request: (desk, { id }, options) => desk.reply(id, validSet(), options),
  },
  askBack: { request: (desk, { id }, options) => desk.askBack(id, { text: "Which one?" }, options) },
  message: { request: (desk, { id }, options) => desk.message(id, "Leave the tests.", options) },
};

/** The contract for requests that are sent twice. */
export const deskRepeating: readonly ContractCase<PortsHarness>[] = Object.entries(attempts).map(([method, { before, request }]) =>
  portsCase(
    `${method}() that is repeated with its idempotency key takes effect once, and with another key is another request`,
    async (inbox) => {
      const { session } = await ask(await inbox.asker(), { timeout: 100_000 });
      const desk = await inbox.desk(ada);
      await before?.(inbox, desk, session);
      await request(desk, session, { idempotencyKey: "request-1" });
      const once = await desk.get(session.id);
      // So that a second extension would move the deadline.
      await inbox.advance(100);
      await request(desk, session, { idempotencyKey: "request-1" });
      assertEqual(await desk.get(session.id), once, "the session after the repeated request");
      const isRefused = await request(desk, session, { idempotencyKey: "request-2" }).then(
        () => false,
        () => true,
      );
      const { revision } = await desk.get(session.id);
      assert(isRefused || revision > once.revision, "a request with another key is not taken for a repeated one");
    },
  ),
);
