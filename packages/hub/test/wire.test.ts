import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { answers, ask, startHub, until } from "./support.ts";

const request = () => parseAsk(ask, { ids: seededIds() });

describe("the wire over the hub", () => {
  it("carries a question to a person and the answer back", async () => {
    const hub = await startHub();
    const { asker } = hub.connect("asker");
    const { desk } = hub.connect("desk");
    const { session } = await asker.ask(request(), { asker: anAsker(), maxWait: 0 });
    const waiting = resumed(asker, session.id);
    await desk.answer(session.id, { answers });
    expect((await waiting).context.outcome).toMatchObject({ kind: "answered", by: { surface: "cli" } });
    expect(hub.hub.connections).toMatchObject({ askers: 1, desks: [{ surface: "cli" }] });
  });

  it("names whoever answers after their token, if the hello has no name", async () => {
    const hub = await startHub();
    const { token } = (await hub.call("POST", "/api/tokens", { as: "desk", body: { name: "bot", scope: "desk" } })).body;
    const { session } = await hub.connect("asker").asker.ask(request(), { asker: anAsker(), maxWait: 0 });
    const view = await hub.connect("desk", { token }).desk.answer(session.id, { answers });
    expect(view.outcome?.by).toEqual({ surface: "cli", name: "bot" });
  });

  it("rejects a token that is unknown or has the other scope", async () => {
    const hub = await startHub();
    await expect(hub.connect("desk", { token: hub.tokens.asker }).ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(hub.connect("asker", { token: hub.tokens.desk }).ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(hub.connect("asker", { token: "abx_unknown" }).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("rejects what cannot be a token at once, and logs no part of it", async () => {
    const logged: unknown[] = [];
    const hub = await startHub({ log: (...line) => void logged.push(line) });
    for (const token of [`${hub.tokens.asker}\nsecond-line`, "abc\u4e2d", "\u0000", "with a space"]) {
      await expect(hub.connect("asker", { token }).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect(JSON.stringify(logged)).not.toMatch(/second-line|abc|space|A message failed/);
  });

  it("reports the hub's state to desks, and lets them stop it", async () => {
    const hub = await startHub();
    const { control } = hub.connect("desk");
    expect(await control.status()).toEqual({ well: true });
    await control.stop();
    expect(hub.stops()).toBe(1);
  });

  it("drops clients that have disconnected", async () => {
    const hub = await startHub();
    const clients = [hub.connect("asker"), hub.connect("desk")];
    for (const client of clients) await client.ready();
    for (const client of clients) client.close();
    await until(() => hub.hub.connections.askers === 0 && hub.hub.connections.desks.length === 0);
  });

  it("notifies clients when the hub closes, and accepts no new ones", async () => {
    const hub = await startHub();
    const client = hub.connect("asker");
    await client.ready();
    const lost = new Promise((resolve) => client.onState((state) => state === "lost" && resolve(state)));
    await hub.hub.close();
    expect(await lost).toBe("lost");
    const refused = expect(hub.connect("asker").ready()).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    await hub.clock.advance(0);
    await refused;
    await expect(hub.call("GET", "/readyz")).rejects.toThrow(/ECONNREFUSED/);
  });
});
