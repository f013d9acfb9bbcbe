import { describe, expect, test } from "vitest";
import { exited, missing, type SceneOptions, scene } from "./support/scene.ts";
import { type OpenWay, ways } from "./support/ways.ts";

const settings = { command: "notify-my-phone" };
const attached: SceneOptions["react"] = ({ args }) => (args.includes("list-clients") ? { stdout: "1 0 /dev/pts/1\n" } : undefined);

/** A question's whole life, with a thread. */
async function live({ scene: { ask, asker, batchLeaves, desk } }: OpenWay, text: string): Promise<string> {
  const id = await ask({ title: text, questions: [{ id: "q_1", type: "text", question: `${text}?`, required: true }] });
  await batchLeaves();
  await desk.askBack(id, { text });
  await asker.resume(id, { reply: text, maxWait: 0 });
  await batchLeaves();
  await desk.answer(id, { answers: [{ questionId: "q_1", values: [text] }], comment: text });
  await batchLeaves();
  return id;
}

describe.each(ways.map((way) => [way.name, way] as const))("the channel %s", (_, way) => {
  // promise: nothing-leaves
  test("passes on neither title, question, message nor answer if text is off", async () => {
    const open = await way.open({ behaviour: "works", showsText: false });
    await live(open, "SECRET");
    expect(open.left()).not.toEqual([]);
    expect(open.left().join()).not.toContain("SECRET");
  });

  // promise: text-cleaned-at-boundary
  test("lets no control character of an agent through", async () => {
    const open = await way.open({ behaviour: "works", showsText: true });
    await live(open, "\u001b[31mred\u001b]0;owned\u0007\u0000\r\nX-Evil: 1");
    expect(open.left().join()).not.toMatch(/[^\P{Cc}\n\u007f-\u009f]/u);
  });

  test("that fails has no effect but a warning, which holds no link", async () => {
    const open = await way.open({ behaviour: "fails", showsText: true });
    const { desk, log } = open.scene;
    expect((await desk.get(await live(open, "Deploy?"))).status).toBe("answered");
    expect(open.left()).not.toEqual([]);
    expect(log.map(({ level }) => level)).not.toContain("error");
    expect(JSON.stringify(log)).not.toContain("once=");
  });

  test("is ended by closing, and used no more", async () => {
    const open = await way.open({ behaviour: "hangs", showsText: true });
    const { announce, notify } = open.scene;
    await announce();
    const count = open.left().length;
    expect(count).toBe(1);
    await notify.close();
    expect(open.isStopped()).toBe(true);
    await announce();
    expect(open.left()).toHaveLength(count);
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
