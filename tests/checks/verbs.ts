import { type Answerer, type Broker, createBroker, memoryStore } from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import {
  agentsContract,
  anAsk,
  anAsker,
  askerContract,
  deskContract,
  grantsContract,
  type Inbox,
  ranContract,
  seededIds,
  testPlatform,
} from "@askbox/core/testing";
import { channelPair, createWireClient, type Operation, operations, serveWire } from "@askbox/wire";

/**
 * Part of `pnpm check`: what is forgotten when a desk gets a new method, or the wire a new request. The contract suites run over pairs of
 * channels, from the client through the wire and its handler to the broker, and what passes is written down. Then
 *
 * - every operation must have been sent by a case, or say below where else it is tested;
 * - an operation that changes something, or an ask that is held, must have been sent with an idempotency key;
 * - each key that a caller gave must have arrived at the port behind the handler.
 *
 * That the broker then heeds a key is what cases say for each method (`desk-contract/repeating.ts` of the core), which TypeScript holds complete.
 */

/** Operations that the contracts of the core are not about, and where they are tested. */
const testedElsewhere: Readonly<Record<string, string>> = {
  called: "packages/wire/test/ended-calls.test.ts",
  listDevices: "packages/hub/test/login.test.ts",
  revokeDevice: "packages/hub/test/login.test.ts",
  status: "packages/wire/test/closing.test.ts",
  stop: "packages/wire/test/bounds.test.ts",
};

/** Operations that change something and need no key, since they say the same when they come again. */
const needsNoKey: readonly string[] = ["saveDraft"];

/** What was seen while the cases ran. */
export interface Seen {
  /** The names of the operations that were sent. */
  sent: ReadonlySet<string>;
  /** By method, such as `desk.answer`: the keys that callers gave, and those that arrived behind the handler. */
  given: ReadonlyMap<string, ReadonlySet<string>>;
  arrived: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of the cases that failed, with why. */
  failed: readonly string[];
}

/** What is wrong, a sentence each. */
export function verbProblems(
  table: Readonly<Record<string, Pick<Operation, "role" | "repeat" | "call">>>,
  { sent, given, arrived, failed }: Seen,
  elsewhere: Readonly<Record<string, string>> = testedElsewhere,
): string[] {
  return [
    ...failed,
    ...Object.entries(table).flatMap(([name, { role, repeat, call }]) => {
      const where = "packages/core/src/testing";
      const takesKey = repeat === "operation" || (repeat === "held" && role === "asker");
      if (!sent.has(name)) {
        if (Object.hasOwn(elsewhere, name)) return [];
        return [`The operation ${name} has no contract case; add one in ${where}, or say in tests/checks/verbs.ts where it is tested.`];
      }
      if (takesKey && !given.has(call ?? `${role}.${name}`) && !needsNoKey.includes(name)) {
        return [`No contract case repeats the operation ${name} with its idempotency key; add one in ${where}.`];
      }
      return [];
    }),
    ...Object.keys(elsewhere).flatMap((name) =>
      !Object.hasOwn(table, name) || sent.has(name) ? [`${name} in tests/checks/verbs.ts is an exception for nothing; remove it.`] : [],
    ),
    ...[...given].flatMap(([method, keys]) => {
      const lost = [...keys].filter((key) => !arrived.get(method)?.has(key));
      if (lost.length === 0) return [];
      return [
        `${method}: its idempotency key is lost between the caller and the port; look at "repeat" in packages/wire/src/protocol/operations.ts.`,
      ];
    }),
  ];
}

/** Runs the contract suites over the wire. `wrap` replaces a port behind the handler. */
export async function seenInContracts(
  wrap: <Port extends object>(name: string, port: Port) => Port = (_, port) => port,
  suites = [askerContract, deskContract],
): Promise<Seen> {
  const sent = new Set<string>();
  const [given, arrived] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const failed: string[] = [];
  const harness = { open: (options?: { clientForms?: boolean | undefined }) => wireInbox(options) };
  async function wireInbox(
    options: { clientForms?: boolean | undefined } = {},
  ): Promise<Inbox & { broker: Broker; client: typeof client; now(): number }> {
    const platform = testPlatform();
    const store = memoryStore();
    const { clock } = platform;
    const ran = keptRan(sharedMemory(clock).open(), { now: () => clock.now(), keep: 86_400_000 });
    const broker = await createBroker({ store, ran, ...platform, ...options });
    const serving = {
      hub: { version: "0.0.0", instance: "run-1" },
      async authenticate(token: string) {
        const [scope, owner = ""] = token.split(":");
        return { owner, scopes: [scope as "asker" | "desk"] };
      },
      asker: (owner: string) => noting("asker", wrap("asker", broker.asker(owner)), arrived),
      desk: (by: Answerer) => noting("desk", wrap("desk", broker.desk(by)), arrived),
      agents: broker.agents,
      grants: broker.grants,
      ran: broker.ran,
      control: { status: async () => ({}), stop: async () => {} },
      ids: platform.ids,
      clock,
    };
    const clients: ReturnType<typeof createWireClient>[] = [];
    const client = (hello: { token: string; role: "asker" | "desk"; surface?: string; name?: string | undefined }) => {
      const made = createWireClient({
        async connect() {
          const [near, far] = channelPair();
          serveWire(far, serving);
          const send = (text: string) => {
            note(text);
            return near.send(text);
          };
          return { ...near, send };
        },
        hello: { agent: { name: "contract", version: "0.0.0" }, ...hello },
        clock: platform.clock,
        random: () => 0,
        ids: seededIds(clients.length + 1),
      });
      clients.push(made);
      return made;
    };
    const note = (text: string) => {
      const { method } = JSON.parse(text) as { method?: string };
      if (method !== undefined) sent.add(method);
    };
    return {
      broker,
      client,
      asker: async (owner = "owner-1") => noting("asker", client({ token: `asker:${owner}`, role: "asker" }).asker, given),
      desk: async (by = { surface: "terminal" }) => noting("desk", client({ token: "desk:people", role: "desk", ...by }).desk, given),
      now: () => clock.now(),
      advance: (ms) => platform.clock.advance(ms),
      async until(condition) {
        for (let turns = 0; turns < 1_000; turns += 1) {
          if (await condition()) return;
          await platform.clock.advance(0);
        }
        throw new Error("What was waited for never happened.");
      },
      async close() {
        for (const made of clients) made.close();
        await broker.close();
        await store.close();
      },
    };
  }
  const run = async (name: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => failed.push(`The contract case "${name}" fails: ${String(error)}`));
  };
  // The clock of the cases waits for promises, not for a file that is loaded with the first ask.
  const first = await wireInbox();
  await (await first.asker()).ask(anAsk(), { asker: anAsker(), maxWait: 0 });
  await first.close();
  for (const { name, run: prove } of suites.flat()) await run(name, () => prove(harness));
  const asDesk = async () => {
    const inbox = await wireInbox();
    const { agents, grants, ran } = inbox.client({ token: "desk:people", role: "desk", surface: "terminal" });
    const overWire = { add: inbox.broker.ran.add, list: ran.list };
    return {
      ran: overWire,
      another: async () => overWire,
      now: inbox.now,
      pass: inbox.advance,
      agents,
      grants: { ...inbox.broker.grants, list: grants.list, remove: grants.remove },
      close: () => inbox.close(),
    };
  };
  for (const { name, run: prove } of agentsContract) await run(name, () => prove({ open: asDesk }));
  for (const { name, run: prove } of grantsContract) await run(name, () => prove({ open: asDesk }));
  for (const { name, run: prove } of ranContract) await run(name, () => prove({ open: asDesk }));
  return { sent, given, arrived, failed };
}

/** The port, of which each idempotency key is written down by the method's name. */
function noting<Port extends object>(name: string, port: Port, keys: Map<string, Set<string>>): Port {
  return new Proxy(port, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property === "forms" && typeof value === "object" && value !== null) return noting("forms", value, keys);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        for (const { idempotencyKey } of args.map(Object) as { idempotencyKey?: unknown }[]) {
          if (typeof idempotencyKey !== "string") continue;
          const method = `${name}.${String(property)}`;
          keys.set(method, (keys.get(method) ?? new Set()).add(idempotencyKey));
        }
        return Reflect.apply(value, target, args);
      };
    },
  });
}

if (import.meta.main) {
  const problems = verbProblems(operations, await seenInContracts());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
