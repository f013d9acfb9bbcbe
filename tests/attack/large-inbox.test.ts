import type { DeskEvent, SessionView } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";
import { readEvents } from "./support/events.ts";

/** As many as one token may have pending with this much text each. */
const asks = 600;
const preview = "x".repeat(105_000);

async function fill(hub: AttackedHub): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < asks) {
      const body = { questions: [{ question: `Number ${next}?`, options: [{ label: "A", preview }, { label: "B" }] }], timeout: 1_800_000 };
      next += 1;
      const response = await hub.fetch("/api/sessions", { as: "asker", method: "POST", body });
      expect(response.status).toBe(201);
      await response.arrayBuffer();
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

describe("an inbox as large as one token can make it", { tags: "nightly" }, () => {
  // promise: large-inbox-served
  test("is sent completely to a watcher, at /api/events, and in pages, with little memory", async () => {
    const hub = await attackedHub();
    await fill(hub);
    await hub.cost();

    const { desk } = await hub.home.connect({ role: "desk" });
    const told: DeskEvent[] = [];
    await desk.watch({}, (event) => void told.push(event));
    const [snapshot] = told;
    expect(snapshot?.type === "snapshot" && snapshot.sessions.length).toBe(asks);

    const events = await readEvents(hub);
    await until("all of the snapshot has come", () => events.told.some(({ type, more }) => type === "snapshot" && more !== true));
    const parts = events.told.filter(({ type }) => type === "snapshot");
    expect(new Set(parts.flatMap(({ sessions = [] }) => sessions.map(({ id }) => id))).size).toBe(asks);
    // 256 KB, plus the session that exceeds it.
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(262_144 + 110_000);
    events.close();

    const ids = new Set<string>();
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const response = await hub.fetch(`/api/sessions?limit=1000${query}`, { as: "desk" });
      const text = await response.text();
      expect(text.length).toBeLessThan(8_000_000);
      const page = JSON.parse(text) as { items: SessionView[]; nextCursor?: string };
      for (const { id } of page.items) ids.add(id);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids.size).toBe(asks);

    const { memory, stall } = await hub.cost();
    expect(memory).toBeLessThan(800);
    expect(stall).toBeLessThan(5_000);
  });
});
