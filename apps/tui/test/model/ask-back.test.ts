import { keymapWith, terminalActions } from "@askbox/inbox/commands";
import { expect, test } from "vitest";
import { bufferOf } from "../../src/editor/text-buffer.ts";
import { fileForMessage, messageRefused, messageSent, startMessage } from "../../src/model/ask-back.ts";
import { arrived, formChanged, inboxChanged } from "../../src/model/events.ts";
import { attachToMessage, filesDropped } from "../../src/model/message-files.ts";
import { type Seen, stepOf, type Turn } from "../../src/model/turn.ts";
import { initialUi, type UiState } from "../../src/model/ui-state.ts";
import { aForm, aSession, inForm, outcomeOf, pressed, questions, type Situation, shot, typing } from "./situations.ts";

const { name, pick, sure } = questions;
const thread = [
  { id: "1", text: "Why?", by: { surface: "terminal" }, at: 1 },
  { id: "2", text: "So.", by: { surface: "asker" }, at: 2 },
] as const;
const approval = { ...sure, type: "approval", action: { kind: "command", command: "ls" } } as unknown as typeof sure;
const replaced = aForm([pick], {
  phase: "settled",
  session: aSession([pick], { status: "cancelled", replacedBy: "s2", closedAt: 1 }),
});

/** The result of an event in a state in which s1 is open and s2 is known. */
function after(run: (turn: Turn) => void, form = aForm([pick]), ui: Partial<UiState> = {}, once = false) {
  const state = { ...initialUi, open: "s1", selected: "s1", focus: "form" as const, ...ui };
  const form2 = aForm([pick], { session: aSession([pick], { id: "s2" }) });
  const seen = {
    keymap: keymapWith(terminalActions).keymap,
    once,
    entries: () => [{ id: "s2" }],
    form: (id: string) => (id === "s1" ? form : id === "s2" ? form2 : undefined),
  };
  return stepOf(state, seen as unknown as Seen, run);
}

test("a message is about the question shown, or on the review about all of them, and drafts are not touched", () => {
  const set = aForm([pick, sure]);
  expect(outcomeOf(inForm({ ...set, step: 1 }), "i")).toEqual(["types message sure “”", "shows askBack"]);
  expect(outcomeOf(inForm({ ...set, step: 2 }), "i")).toEqual(["types message “”", "shows askBack"]);
  const sending = typing(set, { kind: "message", about: "pick" }, "why", { overlay: { kind: "askBack" } });
  expect(pressed(sending, "enter").step.effects).toEqual([
    { kind: "focus", session: "s1", part: undefined },
    { kind: "askBack", session: "s1", text: "why", about: "pick" },
  ]);
});

test("an empty message is not sent", () => {
  const blank = typing(aForm([pick]), { kind: "message" }, " \n", { overlay: { kind: "askBack" } });
  expect(pressed(blank, "enter").step.effects).toEqual([{ kind: "focus", session: "s1", part: undefined }]);
});

test("an open text field gets the focus back, after sending a message and after Escape", () => {
  const asking = typing(aForm([name]), { kind: "message" }, "why", { overlay: { kind: "askBack" } });
  for (const key of ["enter", "escape"]) {
    expect(pressed(asking, key).step.state).toMatchObject({
      editing: { target: { kind: "text", questionId: "name" } },
      overlay: undefined,
    });
  }
});

test("Escape keeps the message, which is then about the question shown next time", () => {
  const { step } = pressed(typing(aForm([pick]), { kind: "message" }, "why", { unsent: { s1: "why" } }), "escape");
  expect(step.effects.map(({ kind }) => kind)).not.toContain("askBack");
  expect(outcomeOf(inForm(aForm([pick]), { unsent: step.state.unsent }), "i")).toEqual(["types message “why”", "shows askBack"]);
});

test("an approval cannot be asked back about, but is denied with a reason", () => {
  const [said] = outcomeOf(inForm(aForm([approval])), "i");
  expect(said).toContain("deny it, and give what you want to know as the reason");
});

test("a sent message is shown, and the user is told whether the agent is there", () => {
  const { state } = after((turn) => messageSent(turn, "s1"));
  expect(state).toMatchObject({ scroll: "thread", notice: { text: "Asked. The question stays open." } });
  const away = aForm([pick], { session: aSession([pick], { presence: { asker: "away", openIn: [] } }) });
  expect(after((turn) => messageSent(turn, "s1"), away).state.notice?.text).toBe("Asked. The agent gets it when it comes back.");
  const wakes = (session: string) => ({ outlook: { session, told: { client: "idle", next: "continues" } as const } });
  expect(after((turn) => messageSent(turn, "s1"), away, wakes("s1")).state.notice?.text).toBe("Asked. test-client goes on at once.");
  expect(after((turn) => messageSent(turn, "s1"), away, wakes("s2")).state.notice?.text).toContain("when it comes back");
});

test("a rejected message is kept with the reason, unless another one is being written", () => {
  const refused = (unsent: UiState["unsent"]) =>
    after((turn) => messageRefused(turn, "s1", "why", "Too long."), aForm([pick]), { unsent }).state;
  expect(refused({ s1: "" })).toMatchObject({ unsent: { s1: "why" }, notice: { text: "Too long.", tone: "error" } });
  expect(refused({ s1: "how" }).unsent).toEqual({ s1: "how" });
});

const log = { ...shot, name: "run.log", sha256: "b".repeat(64) };
const withFiles = (text: string, more: Partial<UiState["messageFiles"][string]> = {}, form = aForm([pick])) =>
  typing(form, { kind: "message" }, text, {
    overlay: { kind: "askBack" },
    unsent: { s1: text },
    messageFiles: { s1: { attached: [shot, log], uploading: 0, ...more } },
  });

test("a message is sent with its files, also without text", () => {
  const { step } = pressed(withFiles(""), "enter");
  expect(step.effects.at(-1)).toEqual({ kind: "askBack", session: "s1", text: "", about: undefined, files: [shot, log] });
  expect(step.state.messageFiles["s1"]?.attached).toEqual([]);
});

test("down leads from the text to the files, where delete removes one, and typing goes on in the text", () => {
  const from = (file: number | undefined) => {
    const { ui, form } = withFiles("why");
    return { form, ui: { ...ui, editing: { target: { kind: "message", about: "pick", file }, buffer: bufferOf("why") } } } as Situation;
  };
  expect(outcomeOf(from(undefined), "down")).toEqual(["types message pick 0 “why”"]);
  expect(outcomeOf(from(0), "down")).toEqual(["types message pick 1 “why”"]);
  expect(outcomeOf(from(1), "down")).toEqual([]);
  expect(outcomeOf(from(0), "up")).toEqual(["types message pick “why”"]);
  expect(outcomeOf(from(0), "backspace")).toEqual(["files run.log", "says Removed shot.png."]);
  expect(outcomeOf(from(1), "delete")).toEqual(["types message pick 0 “why”", "files shot.png", "says Removed run.log."]);
  expect(outcomeOf(from(0), "?", "?")).toEqual(["types message pick “why?”", "unsent why?"]);
});

test("a message waits for the files that are being uploaded, and is sent once the last is attached", () => {
  const { state, effects } = pressed(withFiles("why", { attached: [], uploading: 2 }), "enter").step;
  expect(effects.map(({ kind }) => kind)).not.toContain("askBack");
  expect(state).toMatchObject({ editing: undefined, overlay: undefined, notice: { text: "Sends once the file is attached …" } });
  const first = after((turn) => fileForMessage(turn, "s1", shot), aForm([pick]), state);
  expect(first.effects).toEqual([]);
  const last = after((turn) => fileForMessage(turn, "s1", log), aForm([pick]), first.state);
  expect(last.effects).toEqual([{ kind: "askBack", session: "s1", text: "why", about: undefined, files: [shot, log] }]);
  expect(last.state.unsent).toEqual({ s1: "" });
});

test.each<[string, (turn: Turn) => void, UiState["messageFiles"][string]["attached"]]>([
  ["its file is refused", (turn) => fileForMessage(turn, "s1", undefined), []],
  [
    "it is opened again",
    (turn) => {
      startMessage(turn, aForm([pick]));
      fileForMessage(turn, "s1", shot);
    },
    [shot],
  ],
])("a message that waits for its file is kept if %s", (_why, run, attached) => {
  const { state } = pressed(withFiles("why", { attached: [], uploading: 1 }), "enter").step;
  const next = after(run, aForm([pick]), state);
  expect(next.effects).toEqual([]);
  expect(next.state).toMatchObject({ unsent: { s1: "why" }, messageFiles: { s1: { attached, uploading: 0 } } });
});

test("a rejected message keeps its files, too", () => {
  const { state } = after((turn) => messageRefused(turn, "s1", "", "The hub is away.", [shot]));
  expect(state.messageFiles["s1"]?.attached).toEqual([shot]);
});

test("files don't go with a follow-up to a settled question, and are not dropped silently", () => {
  const settled = aForm([pick], { phase: "settled", session: aSession([pick], { status: "answered" }) });
  const { step } = pressed(withFiles("why", {}, settled), "enter");
  expect(step.effects.map(({ kind }) => kind)).not.toContain("messageAgent");
  expect(step.state).toMatchObject({ editing: { target: { kind: "message" } }, messageFiles: { s1: { attached: [shot, log] } } });
  expect(step.state.notice?.text).toBe("The question is settled; remove the files to send the text as a follow-up.");
  expect(outcomeOf(withFiles("why", {}, settled), "ctrl+o")).toEqual([
    "says The question is settled; a message to its agent takes no files now.",
  ]);
});

test("a message takes 20 files", () => {
  const { state, effects } = after((turn) => attachToMessage(turn, aForm([pick]), "/tmp/a"), aForm([pick]), {
    messageFiles: { s1: { attached: Array.from({ length: 18 }, () => shot), uploading: 2 } },
  });
  expect([effects, state.notice?.text]).toEqual([[], "20 files are the most; remove one first."]);
});

test("the paths of files that are dropped on the message are taken out of its text, which may have gone on", () => {
  const editing = { target: { kind: "message" as const }, buffer: bufferOf("See /tmp/a /tmp/b ?") };
  const drop = (pasted: string) =>
    after((turn) => filesDropped(turn, "s1", pasted, ["/tmp/a", "/tmp/b"]), aForm([pick]), { editing, overlay: { kind: "askBack" } });
  const { state, effects } = drop("/tmp/a /tmp/b ");
  expect(state.editing?.buffer).toMatchObject({ text: "See ?", cursor: 5 });
  expect(state.unsent).toEqual({ s1: "See ?" });
  expect(effects.map((effect) => "path" in effect && effect.path)).toEqual(["/tmp/a", "/tmp/b"]);
  expect(drop("/tmp/c").effects).toEqual([]);
});

test("a reply is scrolled into view if its session is open, and otherwise announced", () => {
  const replied = aSession([pick], { thread: [...thread] });
  expect(after((turn) => arrived(turn, replied)).state).toMatchObject({ scroll: "thread", notice: { text: "test-client replied." } });
  const { state } = after((turn) => arrived(turn, { ...replied, id: "s2" }));
  expect(state.scroll).toBe(0);
  expect(state.notice?.text).toMatch(/^Replied: /);
  expect(after((turn) => arrived(turn, { ...replied, id: "s2", thread: [] })).state.notice?.text).toMatch(/^New: /);
});

test("only Enter opens questions that replace the open ones, in a popup too, keeping the message being written", () => {
  const messageFiles = { s1: { attached: [shot], uploading: 1 } };
  const { state } = pressed({ ...inForm(replaced, { unsent: { s1: "why" }, messageFiles }), entries: ["s2"] }, "enter").step;
  expect(state).toMatchObject({
    open: "s2",
    selected: "s2",
    focus: "form",
    unsent: { s2: "why" },
    messageFiles: { s2: { attached: [shot], uploading: 0 } },
  });
  expect(state.messageFiles["s1"]).toEqual({ attached: [], uploading: 1 });
  const popup = after(inboxChanged, replaced, {}, true);
  expect(popup.state.open).toBe("s1");
  expect(popup.state.notice?.text).toContain("Enter opens it");
  expect(popup.effects.map(({ kind }) => kind)).not.toContain("exit");
});

test("a session settled elsewhere is shown from its top, however long its thread is", () => {
  expect(after(formChanged, aForm([pick], { phase: "settled" }), { scroll: "thread" }).state.scroll).toBe(0);
});

test("a message being written stays open if the session is settled elsewhere, since the agent still gets it", () => {
  const editing = { target: { kind: "message" as const }, buffer: { text: "why", cursor: 3, past: [] } };
  const { state } = after(formChanged, aForm([pick], { phase: "settled" }), {
    editing,
    overlay: { kind: "askBack" },
    unsent: { s1: "why" },
  });
  expect(state).toMatchObject({ editing, overlay: { kind: "askBack" } });
});
