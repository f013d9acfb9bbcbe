import { parseAsk } from "@askbox/core";
import { ChainCheck } from "@askbox/core/audit";
import { anAsker, seededIds, testDigest } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { startHub } from "./support.ts";

describe("REST for the record of approvals", () => {
  const decidedHub = async (decisions: number, command = "make") => {
    const hub = await startHub();
    const asker = hub.broker.asker("one");
    const desk = hub.broker.desk({ surface: "web", name: "ada" });
    const ids = seededIds();
    for (let number = 1; number <= decisions; number += 1) {
      const action = { kind: "command", command: `${command} ${number}` };
      const request = parseAsk({ questions: [{ question: "May it?", type: "approval", action }] }, { ids });
      const { session } = await asker.ask(request, { asker: anAsker(), maxWait: 0 });
      await desk.answer(session.id, { answers: [{ questionId: session.request.questions[0]?.id ?? "", values: ["deny"] }] });
    }
    const page = async (after = 0) =>
      (await hub.call("GET", `/api/audit?after=${after}`, { as: "desk" })).body as { items: string[]; next?: number };
    return { hub, page };
  };

  it("returns it page by page, with each line as its hash covers it", async () => {
    const { page } = await decidedHub(25);
    const check = new ChainCheck(testDigest);
    let pages = 0;
    for (let after: number | undefined = 0; after !== undefined; pages += 1) {
      const { items, next }: { items: string[]; next?: number } = await page(after);
      for (const line of items) expect(await check.add(line)).toBeUndefined();
      after = next;
    }
    expect([pages, check.first?.number, check.last?.number]).toEqual([3, 1, 25]);
  });

  it("ends a page early if entries are large", async () => {
    const { page } = await decidedHub(8, "x".repeat(190_000));
    const { items, next } = await page();
    expect([items.length, next]).toEqual([6, 6]);
    expect((await page(6)).items).toHaveLength(2);
  });

  // promise: asker-scope
  it("rejects asker tokens and requests without a token", async () => {
    const { hub } = await decidedHub(1);
    expect((await hub.call("GET", "/api/audit", { as: "asker" })).status).toBe(403);
    expect((await hub.call("GET", "/api/audit")).status).toBe(401);
    expect((await hub.call("GET", "/api/audit?after=x", { as: "desk" })).status).toBe(400);
  });
});
