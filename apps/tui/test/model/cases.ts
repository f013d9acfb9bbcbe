import { aRan } from "@askbox/core/testing";
import { emptyField } from "@askbox/inbox";
import { initialUi } from "../../src/model/ui-state.ts";
import { aForm, aGrant, aSession, inForm, minute, now, questions, type Situation, typing, under } from "./situations.ts";

const { pick, several, sure, rate, name, day } = questions;
const three = aForm([several, pick, sure]);
const by = { surface: "web", name: "eve" } as const;
const answered = aSession([pick], {
  status: "answered",
  closedAt: 1,
  outcome: { kind: "answered", at: 1, by, answers: [{ questionId: "pick", values: ["pear"] }] },
});

const soon = aSession([pick], { createdAt: now, deadlineAt: now + 30 * minute });

const ranItems = ["npm test", "npm run lint", "make"].map((what, at) => ({
  ...aRan(0, { what, by: { kind: "grant", name: "k3f9" }, client: "claude-code", project: "/home/ada/engine" }),
  id: `0.${at}`,
}));
const ran = { query: "", list: { isOn: true, items: ranItems, areMore: false }, item: 0, failure: undefined };
const grants = { query: "", all: ["npm test", "npm run lint", "make"].map(aGrant), item: 0, failure: undefined };

export const situations = {
  "in a list": { entries: ["s1", "s2", "s3"], ui: { selected: "s2", open: "s2" } },
  "in a list, just after an answer was sent": { entries: ["s1", "s2", "s3"], ui: { selected: "s2", open: "s2" }, hasJustSent: true },
  "in a list, while answers are being held": { entries: ["s1"], ui: { open: "s1", held: ["s2", "s3"] } },
  "in a question, while the answer to another is being held": inForm(aForm([sure]), { held: ["s2"] }),
  "in a list with two selected": { entries: ["s1", "s2", "s3"], ui: { selected: "s2", open: "s2", selection: ["s1", "s3"] } },
  "in an empty list": {},
  "on the fold": { entries: ["s1", "fold"], ui: { selected: "fold" } },
  "in the history": { entries: ["s1", "s2"], ui: { view: "history", open: "s1", selected: "s1" } },
  "in a filtered list": { entries: ["s1"], ui: { filter: "a", open: "s1" } },
  "in a narrowed list": { entries: ["s1"], ui: { narrowing: { agent: "Codex" }, open: "s1" } },
  "in a list, after a snooze": { entries: ["s1"], ui: { open: "s1", snoozed: [{ id: "s2", before: null }] } },
  "in a single choice": inForm(aForm([pick])),
  "in the first of three, which can be skipped": inForm(three),
  "in the second of three, which is answered": inForm({
    ...three,
    step: 1,
    fields: { ...three.fields, pick: { ...emptyField, values: ["apple"] } },
  }),
  "in a yes-or-no question": inForm(aForm([sure])),
  "in a yes-or-no question that is answered with No": inForm({ ...aForm([sure]), fields: { sure: { ...emptyField, values: ["no"] } } }),
  "in an optional text question that is empty": typing(aForm([{ ...name, required: false }]), { kind: "text", questionId: "name" }, ""),
  "in a rating": inForm(aForm([rate])),
  "on a text question that is not being edited": inForm(aForm([name])),
  "on the review": inForm({ ...three, step: 3 }, { item: 3 }),
  "in a reply after the deadline": inForm(aForm([pick], { mode: "reply", session: aSession([pick], { status: "timed_out" }) })),
  "while it is being sent": inForm(aForm([pick], { phase: "sending" })),
  "while the answer is being held": inForm(aForm([pick], { phase: "scheduled" })),
  "in a settled session": inForm(aForm([pick], { phase: "settled", session: answered })),
  "in a text question": typing(aForm([name]), { kind: "text", questionId: "name" }, "ab"),
  "in a text question of a set": typing(aForm([name, pick]), { kind: "text", questionId: "name" }, "ab"),
  "in a date": typing(aForm([day]), { kind: "text", questionId: "day" }, "2026-03-05"),
  "in Other": typing(aForm([pick]), { kind: "other", questionId: "pick" }, "fig", { item: 2 }),
  "in a note": typing(aForm([pick]), { kind: "note", questionId: "pick" }, "hm", { item: 3 }),
  "in the comment": typing({ ...three, step: 3, comment: "hm" }, { kind: "comment" }, "hm", { item: 3 }),
  "in a reason to decline": typing(aForm([pick]), { kind: "reason" }, "no time", { overlay: { kind: "cancel" } }),
  "in a message to the agent": typing(aForm([pick]), { kind: "message" }, "why", { overlay: { kind: "askBack" }, unsent: { s1: "why" } }),
  "in the path of a file for a message": typing(aForm([pick]), { kind: "messageFile", about: "pick" }, "/tmp/a", {
    overlay: { kind: "askBack" },
    unsent: { s1: "why" },
  }),
  "in a search": {
    entries: ["s1"],
    ui: { editing: { target: { kind: "filter" }, buffer: { text: "a", cursor: 1, past: [] } }, filter: "a", open: "s1" },
  },
  "in a search that finds three": {
    entries: ["s1", "s2", "s3"],
    ui: {
      editing: { target: { kind: "filter" }, buffer: { text: "a", cursor: 1, past: [] } },
      filter: "a",
      selected: "s2",
      open: "s2",
    },
  },
  "in a search of the history": {
    entries: ["s1"],
    ui: { view: "history", open: "s1", editing: { target: { kind: "query" }, buffer: { text: "a", cursor: 1, past: [] } } },
  },
  "in the grants": { entries: ["s1"], ui: { overlay: { kind: "grants" }, grants: { ...grants, item: 1 } } },
  "in what ran": { entries: ["s1"], ui: { overlay: { kind: "ran" }, ran: { ...ran, item: 1 } } },
  "in what ran, searched": { ui: { overlay: { kind: "ran" }, ran: { ...ran, query: "npm" } } },
  "in grants that are searched": { ui: { overlay: { kind: "grants" }, grants: { ...grants, query: "npm" } } },
  "in a search of the grants": {
    ui: {
      overlay: { kind: "grants" },
      editing: { target: { kind: "grant" }, buffer: { text: "npm", cursor: 3, past: [] } },
      grants: { ...grants, query: "npm" },
    },
  },
  "in the help": under({ kind: "help", top: 5 }),
  "in the reader": under({ kind: "reader", top: 5 }),
  "while extending the deadline": under({ kind: "moreTime", item: 0 }),
  "while snoozing": { ...inForm(aForm([pick], { session: soon }), { overlay: { kind: "snooze", item: 0 } }), entries: ["s1"] },
  "while snoozing one that is snoozed": {
    form: aForm([pick], { session: { ...soon, snoozedUntil: now + minute } }),
    entries: ["s1", "s2"],
    ui: { overlay: { kind: "snooze", item: 1 } },
  },
  "while filtering the history": {
    entries: ["s1"],
    ui: { view: "history", open: "s1", overlay: { kind: "arrange", item: 0 }, history: { ...initialUi.history, query: "a" } },
  },
  "while arranging the list": {
    form: aForm([sure]),
    entries: ["s1", "s2"],
    ui: { selected: "s2", open: "s2", overlay: { kind: "arrange", item: 0 } },
  },
  "in a popup for one question": { ...inForm(aForm([pick])), once: true },
} satisfies Record<string, Situation>;
