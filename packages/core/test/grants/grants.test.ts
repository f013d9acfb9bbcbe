import {
  type Action,
  type AskerInfo,
  type AskRequest,
  type BrokerOptions,
  createBroker,
  type Grant,
  memoryStore,
  parseAsk,
} from "@askbox/core";
import { matchingGrant } from "@askbox/core/grants";
import { memoryGrants } from "@askbox/core/stores";
import { aGrant, anAsker, aRecord, grantsContract, seededIds, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

describe("grants in memory", () => {
  for (const promise of grantsContract) {
    test(promise.name, () => promise.run({ open: async () => ({ grants: memoryGrants(), close: async () => {} }) }));
  }

  test("are limited to a thousand", async () => {
    const grants = memoryGrants();
    for (let index = 0; index < 1_000; index += 1) await grants.add(aGrant({ id: `grant-${index}` }));
    await expect(grants.add(aGrant({ id: "one more" }))).rejects.toMatchObject({ code: "VALIDATION" });
  });
});

const command: Action = {
  kind: "command",
  tool: "Bash",
  title: "Tests",
  command: "npm test",
  cwd: "/home/ada/engine",
  input: { command: "npm test" },
};
const [hour, day] = [3_600_000, 86_400_000];
const asker = (overrides: Partial<AskerInfo> = {}) => anAsker({ conversation: "conversation-1", ...overrides });

/** Folders that are links, by path. */
const links: Readonly<Record<string, string>> = { "/home/ada/engine/link": "/etc", "/home/ada/engine/inner": "/home/ada/engine/packages" };
const realPath = async (path: string) => (path.endsWith("/gone") ? undefined : (links[path] ?? path));

async function inbox(own: Partial<BrokerOptions> = {}) {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform, realPath, ...own });
  const desk = broker.desk({ surface: "web", name: "ada" });
  // A machine's asks have its token as their owner, and the hub's own another.
  const ports = new Map<string, ReturnType<typeof broker.asker>>();
  const portOf = (owner = "one") => {
    const port = ports.get(owner) ?? broker.asker(owner);
    ports.set(owner, port);
    return port;
  };
  const port = portOf();
  const request = (action: Action): AskRequest =>
    parseAsk({ questions: [{ question: "May it?", type: "approval", action, grants: ["session", "project"] }] }, { ids: seededIds() });
  /** Whether it is allowed without a person, and by which grant. */
  const granted = async (action: Action, by: AskerInfo = asker(), owner?: string) => {
    const port = portOf(owner);
    const { session } = await port.ask(request(action), { asker: by, maxWait: 0 });
    const { outcome } = session.context;
    if (outcome === undefined) await port.withdraw(session.id);
    return outcome?.kind === "answered" && outcome.answers[0]?.values[0] === "allow" ? outcome.by : undefined;
  };
  const answer = async (action: Action, value: string, by: AskerInfo = asker(), delay?: number, owner?: string) => {
    const { session } = await portOf(owner).ask(request(action), { asker: by, maxWait: 0 });
    const questionId = session.request.questions[0]?.id ?? "";
    await desk.answer(session.id, { answers: [{ questionId, values: [value] }] }, { delay });
    return session.id;
  };
  return { broker, clock: platform.clock, granted, answer, port, desk, request };
}

describe("an approval", () => {
  test("allowed for its project is allowed there again, in the grant's name and for 8 hours", async () => {
    const { broker, clock, granted, answer } = await inbox();
    expect(await granted(command)).toBeUndefined();
    const id = await answer(command, "project");
    expect(await granted(command)).toEqual({ surface: "grant", name: `${id}-1` });
    expect(await granted({ ...command, title: "Other words" }, asker({ conversation: "another", branch: "other" }))).toBeDefined();
    expect(await broker.grants.list()).toMatchObject([
      { scope: "project", shown: "npm test", by: { surface: "web", name: "ada" }, sessionId: id },
    ]);
    await clock.advance(8 * 3_600_000 - 1_000);
    expect(await granted(command)).toBeDefined();
    await clock.advance(1_000);
    expect(await granted(command)).toBeUndefined();
  });

  test.each<[string, Action, AskerInfo]>([
    ["another command", { ...command, command: "npm test ", input: { command: "npm test " } }, asker()],
    ["another folder", { ...command, cwd: "/home/ada/engine/sub" }, asker()],
    ["another argument", { ...command, input: { ...command.input, dangerouslyDisableSandbox: true } }, asker()],
    ["another tool", { ...command, tool: "Shell" }, asker()],
    ["another kind", { ...command, kind: "other" }, asker()],
    ["another client", command, asker({ client: { name: "another" } })],
    ["another project", command, asker({ project: "/home/ada/other" })],
    ["another machine", command, asker({ machine: "build-7" })],
    ["no project", command, anAsker({ project: undefined })],
  ])("is asked for with %s", async (_what, action, by) => {
    const { granted, answer } = await inbox();
    await answer(command, "project");
    expect(await granted(action, by)).toBeUndefined();
    expect(await granted(command)).toBeDefined();
  });

  test("allowed for its conversation is asked again in every other", async () => {
    const { granted, answer } = await inbox();
    await answer(command, "session:1d");
    expect(await granted(command)).toBeDefined();
    expect(await granted(command, asker({ conversation: "conversation-2" }))).toBeUndefined();
    expect(await granted(command, anAsker())).toBeUndefined();
  });

  test("allowed with the first words of its command allows every plain command that begins with them", async () => {
    const { broker, granted, answer } = await inbox();
    const id = await answer({ ...command, command: "npm run a:b", input: { command: "npm run a:b" } }, "project:1h:npm run a:b");
    expect(await broker.grants.list()).toMatchObject([
      { id: `${id}-1`, scope: "project", match: { type: "prefix", prefix: "npm run a:b" }, shown: "npm run a:b …" },
    ]);
    const run = (line: string, tool = "Bash"): Action => ({ ...command, tool, command: line, input: { command: line } });
    expect(await granted(run("npm run a:b --watch", "Shell"))).toEqual({ surface: "grant", name: `${id}-1` });
    expect(await granted(run("npm run a:bc"))).toBeUndefined();
    expect(await granted(run("npm run a:b && id"))).toBeUndefined();
    await answer(run("git push -f"), "session:1h:git push");
    expect(await granted(run("git push"))).toBeDefined();
    expect(await granted(run("git push"), asker({ conversation: "conversation-2" }))).toBeUndefined();
  });

  test.each<[Action, string]>([
    [command, "npm run"],
    [command, "npm te"],
    [command, ""],
    [command, `npm test ${"x".repeat(500)}`],
    [{ ...command, command: "npm test && rm -rf ~" }, "npm test"],
    [{ kind: "edit", path: "npm test" }, "npm test"],
    [{ kind: "other", command: "npm test" }, "npm test"],
  ])("is not allowed by words that its plain command doesn't begin with: %j, %s", async (action, prefix) => {
    const { broker, answer } = await inbox();
    await expect(answer(action, `project:8h:${prefix}`)).rejects.toMatchObject({ code: "VALIDATION" });
    expect(await broker.grants.list()).toEqual([]);
  });

  test("lasts as long as the person chose, and ends at once when revoked", async () => {
    const { broker, clock, granted, answer } = await inbox();
    const id = await answer(command, "project:1m");
    await clock.advance(59_000);
    expect(await granted(command)).toBeDefined();
    await clock.advance(1_000);
    expect(await granted(command)).toBeUndefined();
    const other = await answer(command, "project");
    expect(other).not.toBe(id);
    expect(await broker.grants.remove(`${other}-1`)).toBe(true);
    expect(await granted(command)).toBeUndefined();
  });

  test("is asked again after the time that was granted, however the clock is set", async () => {
    const { broker, clock, granted, answer } = await inbox();
    const id = await answer(command, "project:1d");
    clock.jumpWall(-30 * day);
    await clock.advance(day - 1_000);
    expect(await granted(command)).toEqual({ surface: "grant", name: `${id}-1` });
    await clock.advance(1_000);
    expect(await granted(command)).toBeUndefined();
    await expect.poll(() => broker.grants.list()).toEqual([]);
  });

  test("that has expired stays so when the clock goes back, also for the next hub", async () => {
    const grants = memoryGrants();
    const { clock, granted, answer } = await inbox({ grants });
    await answer(command, "project:1h");
    clock.jumpWall(2 * hour);
    expect(await granted(command)).toBeUndefined();
    clock.jumpWall(-2 * hour);
    expect(await granted(command)).toBeUndefined();
    await expect.poll(() => grants.list()).toEqual([]);
  });

  test("is asked if its grant runs out between reading the grants and comparing it", async () => {
    const grant = aGrant({ match: { type: "exact", digest: "one" } });
    const request = { asker: asker(), action: command, digest: "one" };
    expect(matchingGrant([grant], request, grant.expiresAt - 1)).toBe(grant);
    expect(matchingGrant([grant], request, grant.expiresAt)).toBeUndefined();
  });

  test("granted while the clock was ahead lasts no longer than it was granted for, over any number of hubs", async () => {
    const grants = memoryGrants();
    const first = await inbox({ grants });
    first.clock.jumpWall(10 * day);
    await first.answer(command, "project:3h");
    for (const [elapsed, stands] of [
      [0, true],
      [3 * hour - 1_000, true],
      [3 * hour, false],
    ] as const) {
      const { clock, granted } = await inbox({ grants });
      clock.jumpWall(elapsed);
      expect((await granted(command)) !== undefined).toBe(stands);
      await expect.poll(async () => (await grants.list()).every(({ createdAt }) => createdAt <= clock.now())).toBe(true);
    }
    expect(await grants.list()).toEqual([]);
  });

  test("stays revoked if it is revoked while it is stored with the time that it has left", async () => {
    const stored = memoryGrants();
    const removed = Promise.withResolvers<void>();
    const grants = { ...stored, remove: async (id: string) => (await stored.remove(id)) && removed.promise.then(() => true) };
    const { broker, clock, granted } = await inbox({ grants });
    const createdAt = clock.now() + hour;
    await stored.add(aGrant({ createdAt, expiresAt: createdAt + hour }));
    await granted(command);
    const revoked = broker.grants.remove("grant-1");
    removed.resolve();
    expect(await revoked).toBe(true);
    expect(await stored.list()).toEqual([]);
  });

  test("creates no grant when it is allowed once, denied, withdrawn, or not yet sent", async () => {
    const { broker, clock, granted, answer } = await inbox();
    await answer(command, "allow");
    await answer(command, "deny");
    expect(await broker.grants.list()).toEqual([]);
    await answer(command, "project", asker(), 5_000);
    expect(await broker.grants.list()).toEqual([]);
    await clock.advance(5_000);
    await expect.poll(() => broker.grants.list()).toHaveLength(1);
    expect(await granted(command)).toBeDefined();
  });

  test("offers grants only for what its agent named, and the same question is still the same", async () => {
    const { port, request } = await inbox();
    const offered = async (by: AskerInfo) => {
      const options = { asker: by, maxWait: 0, key: "one" };
      const { session } = await port.ask(request(command), options);
      expect((await port.ask(request(command), options)).session.id).toBe(session.id);
      await port.withdraw(session.id);
      return session.request.questions
        .flatMap((question) => ("grants" in question ? (question.grants ?? []) : []))
        .map(({ value }) => value);
    };
    expect(await offered(asker())).toEqual(["session", "project"]);
    expect(await offered(anAsker({ conversation: undefined }))).toEqual(["project"]);
    expect(await offered(asker({ project: undefined }))).toEqual([]);
  });

  test("that an earlier version stored cannot be granted for what its agent did not name, and stays pending", async () => {
    const store = memoryStore();
    const { request, desk } = await inbox({ store });
    const refused = async (id: string, value: string, by: AskerInfo, what: string) => {
      const asked = request(command);
      await store.insert(aRecord({ id, request: asked, asker: by }));
      const answers = [{ questionId: asked.questions[0]?.id ?? "", values: [value] }];
      const message = `Allow it once: its agent did not say which ${what} it works in.`;
      await expect(desk.answer(id, { answers })).rejects.toMatchObject({ code: "VALIDATION", message });
    };
    await refused("session-1", "project", anAsker({ project: undefined }), "project");
    await refused("session-2", "session", anAsker({ conversation: undefined }), "conversation");
    expect((await desk.list({ statuses: ["pending"] })).items).toHaveLength(2);
  });

  test("does not reuse an equal one's earlier answer, and is not joined by one with another action", async () => {
    const { port, answer, request, desk } = await inbox();
    await answer(command, "allow");
    const again = await port.ask(request(command), { asker: asker(), maxWait: 0 });
    expect([again.session.state, again.session.earlierAnswer]).toEqual(["pending", undefined]);
    const other = await port.ask(request({ ...command, command: "npm publish" }), { asker: asker(), maxWait: 0 });
    expect([other.joined, other.session.id === again.session.id]).toEqual([false, false]);
    expect((await desk.list({ statuses: ["pending"] })).items).toHaveLength(2);
  });

  test("cannot be asked back about, since its asker can only take the decision", async () => {
    const { port, request, desk } = await inbox();
    const { session } = await port.ask(request(command), { asker: asker(), maxWait: 0 });
    await expect(desk.askBack(session.id, { text: "Why?" })).rejects.toMatchObject({ code: "VALIDATION" });
    expect(await desk.get(session.id)).toMatchObject({ status: "pending", revision: 1 });
  });

  test("accepts no reply after a timeout", async () => {
    const { port, clock, request, desk } = await inbox();
    const { session } = await port.ask(request(command), { asker: asker(), maxWait: 0 });
    await clock.advance(session.request.timeout);
    await expect.poll(async () => (await desk.get(session.id)).status).toBe("timed_out");
    const questionId = session.request.questions[0]?.id ?? "";
    const reply = desk.reply(session.id, { answers: [{ questionId, values: ["allow"] }] });
    await expect(reply).rejects.toMatchObject({
      code: "SESSION_CLOSED",
      message: "This session has timed out; its client has continued without it.",
    });
  });
});

describe("a grant for one machine", () => {
  const on = (machine?: string) => asker({ machine });

  test.each(["project", "session", "project:1h:npm test", "session:1h:npm test"])(
    "allows nothing on another, nor on the hub's own, in the same folder: %s",
    async (value) => {
      const { broker, granted, answer } = await inbox();
      const id = await answer(command, value, on("build-7"), undefined, "token:7");
      expect(await broker.grants.list()).toMatchObject([{ machine: "build-7", owner: "token:7" }]);
      expect(await granted(command, on("build-8"), "token:8")).toBeUndefined();
      expect(await granted(command, on())).toBeUndefined();
      expect(await granted(command, on("build-7"), "token:7")).toEqual({ surface: "grant", name: `${id}-1` });
    },
  );

  test.each(["project", "session", "project:1h:npm test", "session:1h:npm test"])(
    "that names none is for the hub's own, as those that an earlier version stored: %s",
    async (value) => {
      const { broker, granted, answer } = await inbox();
      await answer(command, value);
      const [grant] = await broker.grants.list();
      expect(Object.keys(grant ?? {})).not.toContain("machine");
      expect(Object.keys(grant ?? {})).not.toContain("owner");
      expect(await granted(command, on("build-7"), "token:7")).toBeUndefined();
      expect(await granted(command, on())).toBeDefined();
    },
  );

  test("goes on when the machine is renamed, and isn't for another that gets its name", async () => {
    const { granted, answer } = await inbox();
    await answer(command, "project", on("build-7"), undefined, "token:7");
    expect(await granted(command, on("build-old"), "token:7")).toBeDefined();
    expect(await granted(command, on("build-7"), "token:9")).toBeUndefined();
  });

  test("for commands below its project allows them in the project's own folder only, since the hub can't see the links of another machine", async () => {
    const { granted, answer } = await inbox();
    await answer(command, "project:1h:npm test", on("build-7"), undefined, "token:7");
    const below = { ...command, cwd: "/home/ada/engine/packages" };
    expect(await granted(below, on("build-7"), "token:7")).toBeUndefined();
    expect(await granted(command, on("build-7"), "token:7")).toBeDefined();
    await answer(command, "project:1h:npm test");
    expect(await granted(below)).toBeDefined();
  });
});

describe("a prefix written by a person", () => {
  const withPrefix = async (overrides: Partial<Grant> = {}, own: Partial<BrokerOptions> = {}) => {
    const { broker, clock, granted } = await inbox(own);
    await broker.grants.add(aGrant({ createdAt: clock.now(), expiresAt: clock.now() + 60_000, ...overrides }));
    return granted;
  };
  const run = (line: string, more: Partial<Action> = {}): Action => ({ ...command, command: line, input: { command: line }, ...more });

  test("allows plain commands that start with it, in the project and below", async () => {
    const granted = await withPrefix();
    expect(await granted(run("npm test"))).toEqual({ surface: "grant", name: "grant-1" });
    expect(await granted(run("npm test -- --run 'a b'", { cwd: "/home/ada/engine/packages/a" }))).toBeDefined();
    expect(await granted(run("npm test", { input: { command: "npm test", timeout: 60_000 } }))).toBeDefined();
  });

  test.each<[string, Action]>([
    ["joined with another", run("npm test && rm -rf ~")],
    ["with a substitution", run("npm test $(curl evil)")],
    ["with a redirection", run("npm test > ~/.bashrc")],
    ["on two lines", run("npm test\nrm -rf ~")],
    ["with a variable before it", run("NODE_OPTIONS=--require=x npm test")],
    ["that begins with other letters", run("npm tests")],
    ["outside of the project", run("npm test", { cwd: "/home/ada/engineering" })],
    ["in a folder that leads out of the project", run("npm test", { cwd: "/home/ada/engine/../other" })],
    ["in a link that leads out of the project", run("npm test", { cwd: "/home/ada/engine/link" })],
    ["in a folder that is not there", run("npm test", { cwd: "/home/ada/engine/gone" })],
    ["with another argument of the same text", run("npm test", { input: { command: "npm test", description: "npm test" } })],
    ["with another argument of its tool", run("npm test", { input: { command: "npm test", sandbox: false } })],
    ["that is not what the tool is given", run("npm test", { input: { command: "rm -rf ~" } })],
  ])("allows no command %s", async (_what, action) => {
    const granted = await withPrefix();
    expect(await granted(action)).toBeUndefined();
  });

  test("of a machine allows what that machine asks, but in no folder below its project, whose links are not known here", async () => {
    const granted = await withPrefix({ machine: "build-7", owner: "token:7" });
    const there = asker({ machine: "build-7" });
    expect(await granted(run("npm test"), there, "token:7")).toEqual({ surface: "grant", name: "grant-1" });
    expect(await granted(run("npm test", { cwd: "/home/ada/engine/inner" }), there, "token:7")).toBeUndefined();
    expect(await granted(run("npm test"))).toBeUndefined();
    expect(await granted(run("npm test"), asker({ machine: "build-8" }), "token:8")).toBeUndefined();
    expect(await granted(run("npm test"), there, "token:9")).toBeUndefined();
    const ofAName = await withPrefix({ machine: "build-7" });
    expect(await ofAName(run("npm test"), there, "token:7")).toBeUndefined();
  });

  test("allowed for the project of a machine is allowed there again, and nowhere else", async () => {
    const { broker, granted, answer } = await inbox();
    const there = asker({ machine: "build-7" });
    await answer(command, "project", there);
    expect(await broker.grants.list()).toMatchObject([{ machine: "build-7" }]);
    expect(await granted(command, there)).toBeDefined();
    expect(await granted(command)).toBeUndefined();
  });

  test("allows no quotes or variables of cmd.exe in a project of Windows", async () => {
    const project = "C:\\engine";
    const { broker, clock, granted } = await inbox();
    await broker.grants.add(aGrant({ project, createdAt: clock.now(), expiresAt: clock.now() + 60_000 }));
    const lines = ["npm test", 'npm test "a b"', "npm test 'a & calc'", "npm test %APPDATA%"];
    const allowed = await Promise.all(lines.map((line) => granted(run(line, { cwd: project }), asker({ project }))));
    expect(allowed.map((by) => by !== undefined)).toEqual([true, true, false, false]);
  });

  test("allows commands in a link within the project, and elsewhere than in its folder only if links can be resolved", async () => {
    const granted = await withPrefix();
    expect(await granted(run("npm test", { cwd: "/home/ada/engine/inner" }))).toBeDefined();
    const unresolved = await withPrefix({}, { realPath: undefined });
    expect(await unresolved(run("npm test"))).toBeDefined();
    expect(await unresolved(run("npm test", { cwd: "/home/ada/engine/packages" }))).toBeUndefined();
  });

  test("is compared with a long command as quickly among 1,000 as alone", async () => {
    const { broker, clock, granted } = await inbox();
    const [createdAt, expiresAt] = [clock.now(), clock.now() + hour];
    for (let index = 0; index < 1_000; index += 1) {
      const match = { type: "prefix", prefix: `npm run ${"script ".repeat(60)}${index}` } as const;
      await broker.grants.add(aGrant({ id: `grant-${index}`, match, createdAt, expiresAt }));
    }
    const long = run(`npm run ${"script ".repeat(12_000)}`);
    await granted(long);
    const before = process.threadCpuUsage();
    expect(await granted(long)).toBeUndefined();
    const { user, system } = process.threadCpuUsage(before);
    // 1,000 readings of the command would take several seconds.
    expect((user + system) / 1_000).toBeLessThan(500);
  });
});
