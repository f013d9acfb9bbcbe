import { describe, expect, test } from "vitest";
import { webhookKindNames } from "../src/channels/index.ts";
import { attentionModes, notifiesAnyone, type Target, webhookSchema, webhookTargets } from "../src/index.ts";
import { exited, missing, type SceneOptions, scene } from "./support/scene.ts";

const settings = { command: "notify-my-phone" };
const everything: Partial<Target> = { events: ["session.opened", "session.asked_back", "session.replied_back", "session.settled"] };
const local = attentionModes.filter(notifiesAnyone).map((mode) => [mode, { mode, settings }] as const);
const remote = webhookKindNames.map((kind) => {
  const entry = webhookSchema.parse({ kind, url: "https://receiver.example/topic" });
  return [kind, { targets: webhookTargets([entry], "/").map((target) => ({ ...target, ...everything, after: 0 })) }] as const;
});
const channels: (readonly [string, SceneOptions])[] = [...local, ...remote];
const attached: SceneOptions["react"] = ({ args }) => (args.includes("list-clients") ? { stdout: "1 0 /dev/pts/1\n" } : undefined);

/** The scene, and everything that left it: what was run, and what was posted. */
async function channelScene(options: SceneOptions) {
  const made = await scene({ react: attached, ...options });
  const left = () => [
    ...made.started.map(({ request: { program, args, env, input = "" } }) => [program, ...args, ...Object.values(env), input].join("\n")),
    ...made.received.map(({ url, headers, body }) => [url, ...Object.values(headers), body].join("\n")),
  ];
  /** A question's whole life, with a thread. */
  const live = async (text: string) => {
    const id = await made.ask({ title: text, questions: [{ id: "q_1", type: "text", question: `${text}?`, required: true }] });
    await made.batchLeaves();
    await made.desk.askBack(id, { text });
    await made.asker.resume(id, { reply: text, maxWait: 0 });
    await made.batchLeaves();
    await made.desk.answer(id, { answers: [{ questionId: "q_1", values: [text] }], comment: text });
    await made.batchLeaves();
    return id;
  };
  return { ...made, left, live };
}

describe.each(channels)("the channel %s", (_, options) => {
  // promise: nothing-leaves
  test("passes on neither title, question, message nor answer if text is off", async () => {
    const targets = options.targets?.map((target) => ({ ...target, text: false }));
    const { left, live } = await channelScene({ ...options, settings: { ...settings, showText: false }, ...(targets && { targets }) });
    await live("SECRET");
    expect(left()).not.toEqual([]);
    expect(left().join()).not.toContain("SECRET");
  });

  // promise: text-cleaned-at-boundary
  test("lets no control character of an agent through", async () => {
    const { left, live } = await channelScene(options);
    await live("\u001b[31mred\u001b]0;owned\u0007\u0000\r\nX-Evil: 1");
    expect(left().join()).not.toMatch(/[^\P{Cc}\n\u007f-\u009f]/u);
  });

  test("that fails has no effect but a warning, which holds no link", async () => {
    const { answers, left, live, log, desk } = await channelScene({ ...options, react: () => ({ ending: exited(9) }) });
    answers.push(...Array.from({ length: 9 }, () => new Error("down")));
    expect((await desk.get(await live("Deploy?"))).status).toBe("answered");
    expect(left()).not.toEqual([]);
    expect(log.map(({ level }) => level)).not.toContain("error");
    expect(JSON.stringify(log)).not.toContain("once=");
  });

  test("is ended by closing, and used no more", async () => {
    const { announce, answers, left, notify, started } = await channelScene({ ...options, react: () => "stays" });
    answers.push("hangs");
    await announce();
    const count = left().length;
    expect(count).toBe(1);
    await notify.close();
    for (const { request, stopped } of started) expect(stopped).toBe(request.outlives !== true);
    await announce();
    expect(left()).toHaveLength(count);
  });
});

const popups =
  (code: number): SceneOptions["react"] =>
  (request) =>
    attached(request) ?? { ending: exited(code) };
const fixes = "`askbox doctor` says how to fix it.";

test.each<[why: string, SceneOptions, ...warnings: string[]]>([
  [
    "a missing opener",
    { mode: "browser", react: () => ({ ending: missing }) },
    `The inbox could not be opened in a browser: xdg-open cannot be run; ${fixes}`,
  ],
  [
    "a failing opener",
    { mode: "browser", react: () => ({ ending: exited(3) }) },
    "xdg-open could not open the inbox in a browser; `askbox open` prints its link.",
  ],
  [
    "no link",
    { mode: "browser", inboxLink: () => Promise.reject(new Error("no login")) },
    "The inbox could not be opened in a browser, since no link to it could be made.",
  ],
  ["no notify-send", { react: () => ({ ending: missing }) }, `Notifications cannot be shown, since notify-send cannot be run; ${fixes}`],
  ["no notification service", { react: () => ({ ending: exited(1) }) }, "notify-send could not show a notification."],
  [
    "a hanging notification service",
    { react: () => ({ ending: { kind: "overtime" } }) },
    "notify-send did not show a notification within 15 seconds.",
  ],
  [
    "nobody attached to tmux",
    { mode: "terminal", react: () => ({ ending: exited(1) }) },
    "No popup can be shown, since nobody is attached to tmux; `askbox` shows the inbox in any terminal.",
  ],
  ["no tmux", { mode: "terminal", react: () => ({ ending: missing }) }, `No popup can be shown, since tmux cannot be run; ${fixes}`],
  ["a failing popup", { mode: "terminal", react: popups(5) }, "The tmux popup with the inbox failed; `askbox doctor` says what it needs."],
  ["a popup closed by the person", { mode: "terminal", react: popups(129) }],
  ["a popup with a cancelled question", { mode: "terminal", react: popups(3) }],
  ["no command", { mode: "command" }, `Attention is set to \`command\`, but no command is set; ${fixes}`],
  [
    "a failing command",
    { mode: "command", settings, react: () => ({ ending: exited(7) }) },
    "The attention command failed.",
    "The attention command failed.",
  ],
  [
    "a killed command",
    { mode: "command", settings, react: () => ({ ending: { kind: "killed", signal: "SIGSEGV" } }) },
    "The attention command was killed.",
    "The attention command was killed.",
  ],
  [
    "an endless command",
    { mode: "command", settings, react: () => ({ ending: { kind: "overtime" } }) },
    "The attention command did not end within 30 seconds and was stopped.",
    "The attention command did not end within 30 seconds and was stopped.",
  ],
])("two questions with %s leave these warnings", async (_, options, ...expected) => {
  const { announce, warnings } = await scene(options);
  await announce();
  await announce();
  expect(warnings()).toEqual(expected);
});
