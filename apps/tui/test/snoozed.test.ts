import type { SessionView } from "@askbox/core";
import type { InboxState } from "@askbox/inbox";
import { expect, test } from "vitest";
import { createListEntries } from "../src/model/list-entries.ts";
import type { UiState } from "../src/model/ui-state.ts";
import { listRows } from "../src/rows/list-rows.ts";

test("a snoozed session is at the end of the list, which says until when, and back in its place afterwards", () => {
  const now = new Date(2026, 10, 24, 9, 30).getTime();
  const session = (id: string, createdAt: number, snoozedUntil?: number) =>
    ({
      id,
      createdAt,
      snoozedUntil,
      status: "pending",
      deadlineAt: null,
      title: id,
      asker: { client: { name: "codex" } },
      questions: [],
      presence: { asker: "attached", openIn: [] },
    }) as unknown as SessionView;
  const sessions = [session("later", now - 1_000, now + 300_000), session("first", now - 2_000)];
  const inbox = { pending: new Map(sessions.map((one) => [one.id, one])) } as unknown as InboxState;
  const ui = { view: "inbox", filter: "", narrowing: {}, order: "newest", unfolded: false, held: [] } as unknown as UiState;
  const entriesAt = (time: number) => createListEntries()(inbox, ui, time);
  expect(entriesAt(now).map(({ id }) => id)).toEqual(["first", "later"]);
  expect(entriesAt(now + 300_000).map(({ id }) => id)).toEqual(["later", "first"]);
  const shown = (time: number) => {
    const view = {
      selected: undefined,
      selection: [],
      hasFocus: true,
      unfolded: false,
      width: 80,
      height: 10,
      plain: true,
      searchTerms: [],
      drafts: new Set(),
      before: 0,
    };
    return JSON.stringify(listRows({ ...view, entries: entriesAt(time), now: time } as never).rows);
  };
  expect(shown(now)).toContain("Snoozed until 09:35");
  expect(shown(now + 300_000)).not.toContain("Snoozed");
});
