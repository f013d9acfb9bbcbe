import { sharedMemory } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { logIn, start } from "./browsers.ts";
import { ask, startHub, type TestHub, until } from "./support.ts";

const invite = async (hub: TestHub, wish: object = {}) => {
  const { status, body } = await hub.call("POST", "/auth/invites", { as: "desk", body: wish });
  expect([status, body]).toMatchObject([201, {}]);
  return body.code as string;
};
const join = (hub: TestHub, code: string, name = "build-7") => hub.call("POST", "/auth/join", { body: { code, name } });
const as = (hub: TestHub, token: string, method: string, path: string, body?: unknown) =>
  hub.call(method, path, { headers: { authorization: `Bearer ${token}` }, body });

describe("an invitation", () => {
  it("is only made with a desk's token, and never by a browser", async () => {
    const hub = await start();
    expect((await hub.call("POST", "/auth/invites", { as: "asker", body: {} })).status).toBe(403);
    expect((await hub.call("POST", "/auth/invites", { body: {} })).status).toBe(401);
    const { headers } = await logIn(hub);
    expect((await hub.call("POST", "/auth/invites", { headers, body: {} })).status).toBe(403);
    const { status, body } = await hub.call("POST", "/auth/invites", { as: "desk", body: {} });
    expect([status, body]).toEqual([
      201,
      { code: expect.stringMatching(/^[\w-]{22}$/), expiresAt: hub.clock.now() + 900_000, url: hub.url, outside: [] },
    ]);
  });

  it("lets one machine join, which can ask and nothing else", async () => {
    const hub = await startHub();
    const code = await invite(hub);
    const tries = await Promise.all([1, 2, 3].map(() => join(hub, code)));
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
    const { token, ...rest } = tries.find(({ status }) => status === 201)?.body ?? {};
    expect(rest).toMatchObject({ name: "build-7", scope: "asker", expiresAt: null });
    expect((await as(hub, token, "POST", "/api/sessions", ask)).status).toBe(201);
    expect((await as(hub, token, "GET", "/api/sessions")).status).toBe(403);
    expect((await as(hub, token, "GET", "/api/tokens")).status).toBe(403);
    expect((await join(hub, code)).body.detail).toBe("A machine has already joined by this code; get one where you got the last.");
  });

  it("works for 15 minutes", async () => {
    const hub = await startHub();
    const [inTime, tooLate] = [await invite(hub), await invite(hub)];
    await hub.clock.advance(899_999);
    expect((await join(hub, inTime)).status).toBe(201);
    await hub.clock.advance(1);
    const { status, body } = await join(hub, tooLate);
    expect([status, body.detail]).toEqual([410, "This code is older than 15 minutes; get one where you got the last."]);
  });

  it("logs no browser in, and a login link lets no machine join; neither is used up by the attempt", async () => {
    const hub = await start();
    const [code, link] = [await invite(hub), (await hub.call("POST", "/auth/codes", { as: "desk" })).body.code];
    expect((await hub.call("POST", "/auth/login", { body: { code } })).status).toBe(401);
    expect((await join(hub, link)).status).toBe(401);
    expect((await join(hub, code)).status).toBe(201);
    expect((await hub.call("POST", "/auth/login", { body: { code: link } })).status).toBe(200);
  });

  it("is slow to guess: after 20 wrong codes from an address within a minute, the next is refused", async () => {
    const hub = await startHub();
    const code = await invite(hub);
    for (let guess = 0; guess < 20; guess += 1) expect((await join(hub, `guess-${guess}`)).status).toBe(401);
    expect((await join(hub, "one-more")).status).toBe(429);
    expect((await join(hub, code)).status).toBe(201);
  });

  it("of a token ends with it, and so does the machine that has joined by it", async () => {
    const hub = await startHub();
    const wish = { name: "admin", scope: "desk", expiresIn: 86_400_000 };
    const admin = (await hub.call("POST", "/api/tokens", { as: "desk", body: wish })).body;
    const made = async () => (await as(hub, admin.token, "POST", "/auth/invites", {})).body.code as string;
    const machine = (await join(hub, await made())).body;
    expect(machine.expiresAt).toBe(hub.clock.now() + 86_400_000);
    const open = await made();
    await hub.call("DELETE", "/api/tokens/admin", { as: "desk" });
    await until(async () => (await as(hub, machine.token, "POST", "/api/sessions", ask)).status === 401);
    expect((await join(hub, open)).status).toBe(401);
  });
});

describe("a machine", () => {
  it("names every ask, whatever its agent says, and the hub's own asks have none", async () => {
    const hub = await startHub();
    const { token } = (await join(hub, await invite(hub))).body;
    const lying = { ...ask, asker: { client: { name: "claude-code" }, machine: "bastion" } };
    const asked = [
      await as(hub, token, "POST", "/api/sessions", lying),
      await hub.call("POST", "/api/sessions", { as: "asker", body: lying }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([201, 201]);
    const { items } = (await hub.call("GET", "/api/sessions", { as: "desk" })).body;
    const machines = new Map(items.map(({ id, asker }: { id: string; asker: { machine?: string } }) => [id, asker.machine]));
    expect(asked.map(({ body }) => machines.get(body.id))).toEqual(["build-7", undefined]);
  });

  it("gets a number after its name if another has that, and is told a name that a token can have", async () => {
    const hub = await startHub();
    const names = [];
    for (const name of ["build-7", "build-7", "  Ada's MacBook Pro\u202e", "", "\u0000\n"])
      names.push((await join(hub, await invite(hub), name)).body.name);
    expect(names).toEqual(["build-7", "build-7-2", "Ada-s-MacBook-Pro", "machine", "machine-2"]);
  });

  it("is allowed nothing by what was granted on another one, even if it gets that one's name", async () => {
    const hub = await startHub();
    const project = "/srv/app";
    const action = { kind: "command", tool: "Bash", command: "npm test", cwd: project };
    const wish = {
      questions: [{ question: "May it?", type: "approval", action, grants: ["project"] }],
      project,
    };
    const asked = async (token: string) => (await as(hub, token, "POST", "/api/sessions", wish)).body;
    const first = (await join(hub, await invite(hub))).body;
    const { id } = await asked(first.token);
    const { questions } = (await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body;
    const answers = [{ questionId: questions[0].id, values: ["project"] }];
    expect((await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } })).status).toBe(200);
    await until(async () => (await hub.broker.grants.list()).length === 1);
    await hub.call("PATCH", "/api/tokens/build-7", { as: "desk", body: { name: "old" } });
    const second = (await join(hub, await invite(hub))).body;
    expect(second.name).toBe("build-7");
    expect((await asked(second.token)).status).toBe("pending");
    expect((await asked(hub.tokens.asker)).status).toBe("pending");
    expect((await asked(first.token)).status).toBe("answered");
  });

  it("is granted what a person enters for it by its name, and another that gets the name is not", async () => {
    const hub = await startHub();
    const grant = (machine: string) =>
      hub.call("POST", "/api/grants", { as: "desk", body: { prefix: "npm test", client: "rest", project: "/srv/app", machine } });
    expect((await grant("build-7")).body).toMatchObject({ code: "VALIDATION", detail: 'No machine is called "build-7".' });
    const first = (await join(hub, await invite(hub))).body;
    expect((await grant("build-7")).body).toMatchObject({ machine: "build-7", shown: "npm test …" });
    const action = { kind: "command", tool: "Bash", command: "npm test", cwd: "/srv/app" };
    const wish = { questions: [{ question: "May it?", type: "approval", action, grants: ["project"] }], project: "/srv/app" };
    const asked = async (token: string) => (await as(hub, token, "POST", "/api/sessions", wish)).body;
    await hub.call("PATCH", "/api/tokens/build-7", { as: "desk", body: { name: "old" } });
    const second = (await join(hub, await invite(hub))).body;
    expect([(await asked(second.token)).status, (await asked(first.token)).status]).toEqual(["pending", "answered"]);
  });

  it("that is removed is gone at once, what it has asked says so, and nobody else's is touched", async () => {
    const hub = await startHub();
    const { token, id } = (await join(hub, await invite(hub))).body;
    const asked = (await as(hub, token, "POST", "/api/sessions", ask)).body;
    const second = (await as(hub, token, "POST", "/api/sessions", { ...ask, key: "second" })).body;
    const other = (await hub.call("POST", "/api/sessions", { as: "asker", body: ask })).body;
    const waiting = as(hub, token, "GET", `/api/sessions/${asked.id}?wait=600000`);
    await until(() => hub.broker.stats().waiting > 0);
    expect((await hub.call("DELETE", `/api/tokens/${id}`, { as: "desk" })).status).toBe(200);
    expect((await waiting.catch(() => ({ status: 0 }))).status).not.toBe(200);
    for (const session of [asked, second]) {
      const view = (await hub.call("GET", `/api/sessions/${session.id}`, { as: "desk" })).body;
      expect(view).toMatchObject({
        status: "cancelled",
        outcome: { kind: "cancelled", reason: "The machine build-7 was removed.", by: { surface: "asker" } },
      });
    }
    expect((await hub.call("GET", `/api/sessions/${other.id}`, { as: "desk" })).body.status).toBe("pending");
    expect((await as(hub, token, "POST", "/api/sessions", { ...ask, key: "third" })).status).toBe(401);
  });

  it("can leave, which ends its own token and no other", async () => {
    const hub = await startHub();
    const [one, two] = [(await join(hub, await invite(hub))).body, (await join(hub, await invite(hub))).body];
    const asked = (await as(hub, one.token, "POST", "/api/sessions", ask)).body;
    expect((await as(hub, one.token, "POST", "/auth/leave")).status).toBe(204);
    expect((await as(hub, one.token, "POST", "/auth/leave")).status).toBe(401);
    expect((await hub.call("POST", "/auth/leave", { as: "asker" })).status).toBe(403);
    expect((await as(hub, two.token, "POST", "/api/sessions", ask)).status).toBe(201);
    const view = (await hub.call("GET", `/api/sessions/${asked.id}`, { as: "desk" })).body;
    expect(view.outcome).toMatchObject({ kind: "cancelled", reason: "The machine build-7 has left." });
  });

  it("can be renamed: what it asks next has the new name, and it stays connected", async () => {
    const hub = await startHub();
    const { token, id } = (await join(hub, await invite(hub, { name: "old" }))).body;
    await as(hub, token, "POST", "/api/sessions", ask);
    expect((await hub.call("PATCH", `/api/tokens/${id}`, { as: "desk", body: { name: "new" } })).body).toMatchObject({
      name: "new",
      machine: true,
    });
    const { body } = await as(hub, token, "POST", "/api/sessions", { ...ask, key: "second" });
    const view = (await hub.call("GET", `/api/sessions/${body.id}`, { as: "desk" })).body;
    expect(view.asker.machine).toBe("new");
    await invite(hub, { name: "other" }).then((code) => join(hub, code));
    expect((await hub.call("PATCH", "/api/tokens/new", { as: "desk", body: { name: "other" } })).status).toBe(409);
    expect((await hub.call("PATCH", "/api/tokens/nobody", { as: "desk", body: { name: "x" } })).status).toBe(404);
  });
});

it("hubs that share an inbox accept each other's invitations, once", async () => {
  const memory = sharedMemory(testPlatform().clock);
  const [a, b] = [
    await startHub({ cluster: { shared: memory.open(), name: "team" } }),
    await startHub({ cluster: { shared: memory.open(), name: "team" } }),
  ];
  const code = await invite(a);
  const tries = await Promise.all([a, b, a, b].map((hub) => join(hub, code)));
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410]);
  const { token } = tries.find(({ status }) => status === 201)?.body ?? {};
  for (const hub of [a, b]) expect((await as(hub, token, "POST", "/api/sessions", { ...ask, key: hub.url })).status).toBe(201);
});
