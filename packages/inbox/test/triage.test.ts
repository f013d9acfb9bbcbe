import type { Action, Question, SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import {
  besideSimilar,
  equalApprovals,
  groupSessions,
  isIn,
  readPlace,
  signOf,
  snoozeChoices,
  snoozedUntil,
  urgencyOf,
} from "../src/list/index.ts";

const minute = 60_000;
/** Half past nine in the morning, wherever the test runs. */
const now = new Date(2026, 2, 5, 9, 30).getTime();
const ask: Question = { id: "q", type: "text", question: "Why?", required: true };
const toRun = (action: Action): Question => ({ id: "q", type: "approval", question: "May I?", required: true, action });
const shell = (command: string) => toRun({ kind: "command", command });

function aSession(id: string, more: Partial<SessionView> & { client?: string; project?: string } = {}): SessionView {
  const { client = "codex", project, ...rest } = more;
  return {
    id,
    revision: 1,
    status: "pending",
    asker: { client: { name: client, version: "1" }, project },
    questions: [ask],
    createdAt: now,
    deadlineAt: null,
    closedAt: null,
    delivery: { deliveredAt: null },
    presence: { asker: "attached", openIn: [] },
    ...rest,
  };
}

test.each([
  ["without a deadline", null, [5, 15, 60, 23.5 * 60]],
  ["with half an hour left", 30 * minute, [5, 15, 28]],
  ["with five minutes left, before its last minute", 5 * minute, [4]],
  ["with too little time left", minute, []],
])("the times to snooze a question %s come back before its end", (_name, left, minutes) => {
  const session = aSession("s", { deadlineAt: left === null ? null : now + left });
  expect(snoozeChoices([session], now).map(({ until }) => (until - now) / minute)).toEqual(minutes);
});

test("several questions are snoozed no longer than the first deadline allows", () => {
  const sessions = [aSession("long"), aSession("short", { deadlineAt: now + 30 * minute })];
  expect(snoozeChoices(sessions, now)).toEqual(snoozeChoices(sessions.slice(1), now));
});

test("a snooze ends before the question does, even if somebody else chose a later time", () => {
  const session = aSession("s", { deadlineAt: now + 10 * minute, snoozedUntil: now + 60 * minute });
  expect(snoozedUntil(session, now)).toBe(now + 8 * minute);
  expect(snoozedUntil(session, now + 8 * minute)).toBeUndefined();
  expect(snoozedUntil(aSession("awake"), now)).toBeUndefined();
});

const several = [
  aSession("one", { client: "claude-code", project: "/home/ada/engine" }),
  aSession("two", { project: "/home/ada/other", questions: [shell("ls")] }),
  aSession("three", { client: "claude-code", questions: [ask, { ...ask, id: "r" }] }),
  aSession("four", { project: "/home/ada/engine", questions: [shell("make")] }),
];

test.each([
  ["agent", { "Claude Code": ["one", "three"], Codex: ["two", "four"] }],
  ["kind", { lines: ["one"], approval: ["two", "four"], several: ["three"] }],
  ["project", { "/home/ada/engine": ["one", "four"], "/home/ada/other": ["two"], undefined: ["three"] }],
] as const)("sessions are grouped by %s, in the order of the first of each", (by, groups) => {
  const found = groupSessions(several, by).map(({ value, sessions }) => [String(value), sessions.map(({ id }) => id)]);
  expect(found).toEqual(Object.entries(groups));
});

test("the same folder on two machines is two projects, a machine's questions are a group, and so are those of a repository, wherever its copies are", () => {
  const at = (id: string, machine?: string, project = "/srv/app") =>
    aSession(id, { asker: { client: { name: "codex" }, project, machine } });
  const list = [at("one"), at("two", "build-7"), at("three"), at("four", "build-8"), at("five", "build-7", "C:\\app")];
  const groups = (by: "project" | "machine") => groupSessions(list, by).map(({ value, sessions }) => [value, sessions.map(({ id }) => id)]);
  expect(groups("project")).toEqual([
    ["/srv/app", ["one", "three"]],
    ["build-7:/srv/app", ["two"]],
    ["build-8:/srv/app", ["four"]],
    ["build-7:C:\\app", ["five"]],
  ]);
  expect(groups("machine")).toEqual([
    [undefined, ["one", "three"]],
    ["build-7", ["two", "five"]],
    ["build-8", ["four"]],
  ]);
  const repository = "github.com/acme/engine";
  const copies = [at("here"), at("there", "build-7", "/root/engine")].map((each) => ({ ...each, asker: { ...each.asker, repository } }));
  expect(groupSessions([...copies, at("none")], "repository").map(({ value, sessions }) => [value, sessions.length])).toEqual([
    [repository, 2],
    [undefined, 1],
  ]);
  expect(list.filter((session) => isIn(session, { machine: "build-7", project: "build-7:/srv/app" })).map(({ id }) => id)).toEqual(["two"]);
});

test.each([
  ["/srv/app", { folder: "app" }],
  ["build-7:/srv/app", { folder: "app", machine: "build-7" }],
  ["build-7:C:\\srv\\app", { folder: "app", machine: "build-7" }],
  ["C:/srv/app", { folder: "app" }],
  ["C:\\srv\\app", { folder: "app" }],
  ["/srv/build-7:/app", { folder: "app" }],
])("the group of a project is read back as its folder and machine: %s", (group, place) => {
  expect(readPlace(group)).toEqual(place);
});

test("a list is narrowed to what belongs to every chosen group", () => {
  const left = several.filter((session) => isIn(session, { agent: "Codex", kind: "approval", project: "/home/ada/engine" }));
  expect(left.map(({ id }) => id)).toEqual(["four"]);
});

test("approvals are decided together if they ask for the same in the same folder of the same machine", () => {
  const same = (id: string, own: object = {}) => {
    const session = aSession(id, { questions: [shell("git push")], client: "codex" });
    return { ...session, asker: { ...session.asker, ...own } };
  };
  const [one, ...others] = [
    same("one"),
    same("two"),
    same("three", { machine: "build-7" }),
    same("four", { project: "/home/ada/other" }),
    same("five", { machine: "build-7" }),
  ] as const;
  const equal = (session: SessionView) => equalApprovals(session, shell("git push"), [one, ...others]).map(({ id }) => id);
  expect(equal(one)).toEqual(["two"]);
  expect(equal(others[1])).toEqual(["five"]);
});

test("similar approvals stand beside each other: the same program or tool, agent and project", () => {
  const run = (id: string, question: Question, client = "codex") => aSession(id, { questions: [question], client });
  const list = [
    run("push", shell("git push")),
    aSession("asked"),
    run("test", shell("npm test")),
    run("edit", toRun({ kind: "edit", tool: "Write", path: "a.ts" })),
    run("pull", shell("git pull")),
    run("another's", shell("git pull"), "claude-code"),
    run("edit again", toRun({ kind: "edit", tool: "Write", path: "b.ts" })),
    aSession("asked again"),
    { ...run("elsewhere", shell("git pull")), asker: { client: { name: "codex", version: "1" }, machine: "build-7" } },
  ];
  const shown = besideSimilar(list).map(({ id }) => id);
  expect(shown).toEqual(["push", "pull", "asked", "test", "edit", "edit again", "another's", "asked again", "elsewhere"]);
});

test("a question is urgent in its last two minutes, and more so in its last 30 seconds, whatever its total time", () => {
  for (const total of [minute / 2, 5 * minute, 60 * minute]) {
    const session = aSession("s", { createdAt: now - total, deadlineAt: now });
    const at = [120_001, 120_000, 30_001, 30_000, 0, -1_000].map((left) => urgencyOf(session, now - left));
    expect(at).toEqual([undefined, "soon", "soon", "now", "now", "now"]);
  }
  expect(urgencyOf(aSession("without a deadline"), now)).toBeUndefined();
});

test.each<[string, Question[]]>([
  ["command", [shell("ls")]],
  ["fetch", [toRun({ kind: "fetch", tool: "WebFetch" })]],
  ["approval", [toRun({ kind: "other", tool: "Unknown" })]],
  ["number", [{ id: "q", type: "number", question: "How many?", required: true }]],
  ["lines", [ask]],
  ["several", [shell("ls"), ask]],
])("a session's sign tells what it asks for: %s", (sign, questions) => {
  expect(signOf(aSession("s", { questions }))).toBe(sign);
});
