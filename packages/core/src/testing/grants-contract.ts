import type { Grant, Grants } from "../ports/grants.ts";
import { assertEqual, assertRejects, type ContractCase } from "./contract.ts";

/** What the suite for `Grants` runs on. */
export interface GrantsHarness {
  /** Grants without any entries. */
  open(): Promise<{ grants: Grants; close(): Promise<void> }>;
}

const startOfTime = 1_700_000_000_000;
const hour = 3_600_000;

/** A grant for one command in one project, for 8 hours. */
export function aGrant(overrides: Partial<Grant> = {}): Grant {
  return {
    id: "grant-1",
    scope: "project",
    client: "test-client",
    project: "/home/ada/engine",
    kind: "command",
    tool: "Bash",
    match: { type: "prefix", prefix: "npm test" },
    shown: "npm test",
    by: { surface: "web", name: "ada" },
    createdAt: startOfTime,
    expiresAt: startOfTime + 8 * hour,
    ...overrides,
  };
}

const grantsCase = (name: string, run: (grants: Grants) => Promise<void>): ContractCase<GrantsHarness> => ({
  name,
  async run(harness) {
    const { grants, close } = await harness.open();
    try {
      await run(grants);
    } finally {
      await close();
    }
  },
});

const ids = (grants: readonly Grant[]) => grants.map(({ id }) => id);

/** The contract of `Grants`. */
export const grantsContract: readonly ContractCase<GrantsHarness>[] = [
  grantsCase("there are no grants at first", async (grants) => {
    assertEqual(await grants.list(), [], "the list");
    assertEqual(await grants.remove("grant-1"), false, "revoking nothing");
  }),
  grantsCase("grants are listed in the order they were created, with all fields", async (grants) => {
    const exact = aGrant({
      id: "grant-2",
      scope: "session",
      conversation: "conversation-1",
      cwd: "/home/ada/engine",
      machine: "build-7",
      owner: "token:7",
      sessionId: "session-1",
      match: { type: "exact", digest: "digest-1" },
    });
    assertEqual(await grants.add(aGrant()), aGrant(), "what was added");
    await grants.add(exact);
    assertEqual(await grants.list(), [aGrant(), exact], "the list");
  }),
  grantsCase("a grant that is created again is unchanged", async (grants) => {
    await grants.add(aGrant());
    const again = await grants.add(aGrant({ expiresAt: startOfTime + 100 * hour }));
    assertEqual(again, aGrant(), "what it comes back with");
    assertEqual(await grants.list(), [aGrant()], "the list");
  }),
  grantsCase("a revoked grant is gone", async (grants) => {
    await grants.add(aGrant());
    await grants.add(aGrant({ id: "grant-2" }));
    assertEqual(await grants.remove("grant-1"), true, "revoking it");
    assertEqual(await grants.remove("grant-1"), false, "revoking it again");
    assertEqual(ids(await grants.list()), ["grant-2"], "the list");
  }),
  grantsCase("expired grants are removed when another is created", async (grants) => {
    await grants.add(aGrant());
    await grants.add(aGrant({ id: "grant-2", expiresAt: startOfTime + 24 * hour }));
    const later = startOfTime + 8 * hour;
    await grants.add(aGrant({ id: "grant-3", createdAt: later, expiresAt: later + hour }));
    assertEqual(ids(await grants.list()), ["grant-2", "grant-3"], "the list");
  }),
  grantsCase("concurrent grants are all kept", async (grants) => {
    const wanted = Array.from({ length: 20 }, (_, index) => `grant-${index}`);
    await Promise.all(wanted.map((id) => grants.add(aGrant({ id }))));
    assertEqual(ids(await grants.list()).sort(), [...wanted].sort(), "their ids");
  }),
  grantsCase("an invalid grant is rejected, and changes nothing", async (grants) => {
    const wrong: Partial<Grant>[] = [
      { id: "" },
      { client: "" },
      { project: "" },
      { shown: "x".repeat(2_001) },
      { match: { type: "prefix", prefix: "" } },
      { match: { type: "prefix", prefix: "x".repeat(501) } },
      { scope: "everywhere" as "project" },
    ];
    for (const overrides of wrong) await assertRejects(grants.add(aGrant(overrides)), "VALIDATION", JSON.stringify(overrides).slice(0, 60));
    assertEqual(await grants.list(), [], "the list");
  }),
];
