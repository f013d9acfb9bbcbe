import { aRecord } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { paintFor } from "../src/text/paint.ts";
import { sessionPage } from "../src/text/session-page.ts";
import { openInbox } from "./support/inbox.ts";

const paint = paintFor({ hasColors: false } as Parameters<typeof paintFor>[0]);

async function away() {
  const inbox = await openInbox();
  const id = inbox.asked();
  inbox.start(["ask", "Which way?"], { abandon: true });
  await inbox.clock.advance(1);
  const session = await inbox.desk.get(await id);
  const { asker } = aRecord();
  return {
    inbox,
    session: {
      ...session,
      presence: { asker: "will_ask_again" as const, openIn: [] },
      asker: { ...asker, client: { name: "codex-mcp-client" } },
    },
  };
}

test("askbox show says before the answer what will happen, and how to start an agent that has gone", async () => {
  const { inbox, session } = await away();
  const page = (outlook: NonNullable<Parameters<typeof sessionPage>[1]["outlook"]>, status = session.status) =>
    sessionPage({ ...session, status }, { columns: 200, now: inbox.clock.now(), paint, outlook });
  expect(page({ client: "idle", next: "continues" })).toContain("Codex goes on at once.");
  expect(page({ client: "idle", next: "continues" })).not.toContain("To resume");
  expect(page({ client: "busy", next: "continues" })).toContain("Codex goes on with it after its turn.");
  expect(page({ client: "gone", next: "start" })).toContain("Codex has gone. Once you have answered, you can start it again");
  expect(page({ client: "gone", next: "start" })).not.toContain("askbox wake");
  expect(page({ client: "gone", next: "start" }, "answered")).toContain(`askbox wake ${session.id.slice(0, 8)}`);
});

test("askbox wake says so where nothing can wake an agent", async () => {
  const { inbox, session } = await away();
  const ran = await inbox.run(["wake", session.id]);
  expect([ran.code, ran.stderr]).toEqual([2, "Nothing here can wake an agent.\n"]);
});
