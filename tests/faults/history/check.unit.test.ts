import { describe, expect, test } from "vitest";
import { checkHistory } from "./check.ts";
import type { HistoryEvent } from "./event.ts";

/** Two answerers at one session, a call that ended, and the next call, which received the answer. */
const sound: readonly HistoryEvent[] = [
  { type: "called", call: "call-1", asker: "ada" },
  { type: "asked", call: "call-1", session: "s1" },
  { type: "sent", attempt: "web-1", session: "s1", outcome: "blue from web" },
  { type: "sent", attempt: "cli-1", session: "s1", outcome: "red from cli" },
  { type: "uploaded", session: "s1", file: "f1", content: "a picture" },
  { type: "acknowledged", attempt: "web-1" },
  { type: "refused", attempt: "cli-1", standing: "blue from web" },
  { type: "called", call: "call-2", asker: "ada" },
  { type: "asked", call: "call-2", session: "s2" },
  { type: "sent", attempt: "web-2", session: "s2", outcome: "green from web" },
  { type: "acknowledged", attempt: "web-2" },
  { type: "handed", call: "call-2", session: "s2", outcome: "green from web", as: "result" },
  { type: "handed", call: "call-2", session: "s1", outcome: "blue from web", as: "earlier" },
  { type: "confirmed", session: "s1" },
  { type: "wrote", message: "why", session: "s3" },
  { type: "kept", message: "why", to: "agent" },
  { type: "called", call: "call-b", asker: "bob" },
  { type: "given", call: "call-b", session: "s3", message: "why" },
  { type: "read", message: "why" },
  { type: "wrote", message: "so", session: "s3" },
  { type: "kept", message: "so", to: "person" },
  { type: "confirmed", session: "s2" },
  { type: "stored", session: "s1", asker: "ada", outcome: "blue from web", files: [{ file: "f1", content: "a picture" }] },
  { type: "stored", session: "s2", asker: "ada", outcome: "green from web" },
  { type: "stored", session: "s3", asker: "bob", outcome: null, thread: ["why", "so"] },
];

const without = (remove: (event: HistoryEvent) => boolean): HistoryEvent[] => sound.filter((event) => !remove(event));
const changed = (change: (event: HistoryEvent) => HistoryEvent): HistoryEvent[] => sound.map(change);

const withThread = (thread: string[]) =>
  changed((event) => (event.type === "stored" && event.session === "s3" ? { ...event, thread } : event));

const withFile = (content: string | null) =>
  changed((event) => (event.type === "stored" && event.session === "s1" ? { ...event, files: [{ file: "f1", content }] } : event));

const bad: { fault: string; history: HistoryEvent[]; sentence: string }[] = [
  {
    fault: "an acknowledged answer that the store does not hold",
    history: changed((event) => (event.type === "stored" && event.session === "s1" ? { ...event, outcome: null } : event)),
    sentence: "lost: blue from web was acknowledged for s1, where nothing stands",
  },
  {
    fault: "an acknowledged answer whose session is gone",
    history: without((event) => event.type === "stored" && event.session === "s2"),
    sentence: "lost: green from web was acknowledged for s2, where nothing stands",
  },
  {
    fault: "a file that is gone, though its answer stands",
    history: withFile(null),
    sentence: "lost: f1 of s1 was acknowledged and can't be opened",
  },
  {
    fault: "a file with other content",
    history: withFile("a pic"),
    sentence: "damaged: f1 of s1 is a pic, where a picture was sent",
  },
  {
    fault: "a file that nobody sent",
    history: without((event) => event.type === "uploaded"),
    sentence: "invented: nobody sent f1 of s1",
  },
  {
    fault: "an acknowledged answer that no call was ever handed",
    history: without((event) => event.type === "handed" && event.session === "s1"),
    sentence: "lost: blue from web of s1 never reached its asker",
  },
  {
    fault: "two answers to one session that were both acknowledged",
    history: changed((event) => (event.type === "refused" ? { type: "acknowledged", attempt: "cli-1" } : event)),
    sentence: "two winners: blue from web and red from cli were acknowledged for s1",
  },
  {
    fault: "a call that was handed another outcome than the one that stands",
    history: changed((event) => (event.type === "handed" && event.session === "s1" ? { ...event, outcome: "red from cli" } : event)),
    sentence: "two winners: call-2 was handed red from cli of s1, where blue from web stands",
  },
  {
    fault: "a loser that was told of an outcome that does not stand",
    history: changed((event) => (event.type === "refused" ? { ...event, standing: "red from cli" } : event)),
    sentence: "misled: whoever was refused at s1 was told of red from cli, where blue from web stands",
  },
  {
    fault: "an outcome that one call was handed twice",
    history: [...sound, { type: "handed", call: "call-2", session: "s1", outcome: "blue from web", as: "earlier" }],
    sentence: "twice: call-2 was handed s1 more than once",
  },
  {
    fault: "an outcome that a later call was handed although it had been confirmed",
    history: [
      ...sound,
      { type: "called", call: "call-3", asker: "ada" },
      { type: "handed", call: "call-3", session: "s1", outcome: "blue from web", as: "earlier" },
    ],
    sentence: "twice: call-3 was handed s1 after that had been confirmed",
  },
  {
    fault: "an outcome in the store that nobody gave",
    history: changed((event) => (event.type === "stored" && event.session === "s3" ? { ...event, outcome: "timed out" } : event)),
    sentence: "invented: nobody gave timed out, which stands for s3",
  },
  {
    fault: "an outcome that a call was handed and nobody gave",
    history: without((event) => event.type === "sent" && event.attempt === "web-2"),
    sentence: "invented: nobody gave green from web, which call-2 was handed for s2",
  },
  {
    fault: "an outcome that was given for another session",
    history: changed((event) => (event.type === "sent" && event.attempt === "web-2" ? { ...event, session: "s3" } : event)),
    sentence: "invented: nobody gave green from web, which stands for s2",
  },
  {
    fault: "an outcome that was handed to another asker",
    history: changed((event) => (event.type === "called" && event.call === "call-2" ? { ...event, asker: "bob" } : event)),
    sentence: "astray: s2 of ada was handed to call-2 of bob",
  },
  {
    fault: "a call that was handed another session's outcome for its own",
    history: changed((event) => (event.type === "handed" && event.as === "earlier" ? { ...event, as: "result" } : event)),
    sentence: "astray: call-2 asked s2 and was handed s1 for it",
  },
  {
    fault: "an acknowledgement without an answer",
    history: [...sound, { type: "acknowledged", attempt: "ghost" }],
    sentence: "ghost was acknowledged and never sent",
  },
  {
    fault: "an acknowledged message that is not in the thread",
    history: withThread(["so"]),
    sentence: "lost: why was acknowledged and is not in the thread of s3",
  },
  {
    fault: "a message whose session is gone",
    history: without((event) => event.type === "stored" && event.session === "s3"),
    sentence: "lost: so was acknowledged and is not in the thread of s3",
  },
  {
    fault: "a message that its agent was never given",
    history: without((event) => event.type === "given"),
    sentence: "lost: why never reached its agent",
  },
  {
    fault: "a reply that is in the thread twice",
    history: withThread(["why", "so", "so"]),
    sentence: "twice: so is in the thread of s3 more than once",
  },
  {
    fault: "a message in the thread that nobody wrote",
    history: withThread(["why", "so", "ghost"]),
    sentence: "invented: nobody wrote ghost, which is in the thread of s3",
  },
  {
    fault: "a message in another session's thread",
    history: changed((event) => (event.type === "stored" && event.session === "s1" ? { ...event, thread: ["why"] } : event)),
    sentence: "invented: nobody wrote why, which is in the thread of s1",
  },
  {
    fault: "a message before one that was acknowledged earlier",
    history: withThread(["so", "why"]),
    sentence: "out of order: so stands before why in the thread of s3",
  },
  {
    fault: "a message that a call was given and nobody wrote",
    history: [...sound, { type: "given", call: "call-b", session: "s3", message: "ghost" }],
    sentence: "invented: nobody wrote ghost, which call-b was given for s3",
  },
  {
    fault: "a message that a call was given twice",
    history: [...sound, { type: "given", call: "call-b", session: "s3", message: "why" }],
    sentence: "twice: call-b was given why more than once",
  },
  {
    fault: "a message that a later call was given although that had been confirmed",
    history: [...sound, { type: "called", call: "call-c", asker: "bob" }, { type: "given", call: "call-c", session: "s3", message: "why" }],
    sentence: "twice: call-c was given why after that had been confirmed",
  },
  {
    fault: "a message that another agent was given",
    history: changed((event) => (event.type === "called" && event.call === "call-b" ? { ...event, asker: "ada" } : event)),
    sentence: "astray: why to bob was given to call-b of ada",
  },
  {
    fault: "an acknowledgement without a message",
    history: [...sound, { type: "kept", message: "phantom", to: "agent" }],
    sentence: "phantom was acknowledged and never written",
  },
];

describe("the checker of histories", () => {
  test("accepts a history in which the promises held", () => {
    expect(checkHistory(sound)).toEqual([]);
  });

  test("accepts an answer without an acknowledgement whether or not it took effect", () => {
    const unknown = (event: HistoryEvent) => event.type === "acknowledged" && event.attempt === "web-2";
    expect(checkHistory(without(unknown))).toEqual([]);
    expect(checkHistory([...sound, { type: "sent", attempt: "web-3", session: "s3", outcome: "late from web" }])).toEqual([]);
  });

  // promise: outcome-may-come-again
  test("lets an outcome be delivered again if its delivery was never confirmed", () => {
    const again: HistoryEvent[] = [
      { type: "called", call: "call-3", asker: "ada" },
      { type: "handed", call: "call-3", session: "s1", outcome: "blue from web", as: "earlier" },
    ];
    expect(checkHistory([...without((event) => event.type === "confirmed" && event.session === "s1"), ...again])).toEqual([]);
  });

  // promise: answer-on-disk-first, no-invented-outcome, one-outcome, outcome-once-per-call
  test.each(bad)("rejects $fault", ({ history, sentence }) => {
    expect(checkHistory(history)).toContain(sentence);
  });
});
