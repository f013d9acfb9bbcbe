import type { QuestionOf, SessionView } from "@askbox/core";
import { splitByPresence } from "@askbox/inbox";
import { deliveryOf, describe as described } from "@askbox/inbox/describe";
import { equalApprovals, isDenial, kindOf, waitingIn } from "@askbox/inbox/list";
import { denialText, outcomeText } from "@askbox/inbox/text";
import { describe, expect, test } from "vitest";

const question: QuestionOf<"approval"> = {
  id: "q",
  type: "approval",
  question: "Overrule that?",
  required: true,
  action: { kind: "command", command: "ls" },
  denial: { reviewer: "auto mode", status: "denied", reason: "No.", risk: "high", authorization: "low" },
};
const session = (id: string, own: Partial<SessionView> = {}): SessionView => ({
  id,
  revision: 1,
  status: "pending",
  asker: { client: { name: "claude-code" } },
  questions: [question],
  createdAt: 0,
  deadlineAt: null,
  closedAt: null,
  delivery: { deliveredAt: null },
  presence: { asker: "away", awaySince: 0, openIn: [] },
  ...own,
});
const answered = (value: string, own: Partial<SessionView> = {}) =>
  session("a", {
    status: "answered",
    outcome: { kind: "answered", answers: [{ questionId: "q", values: [value] }], by: { surface: "web", name: "Ada" }, at: 5 },
    ...own,
  });
const { denial: _, ...approval } = question;

describe("a denial in a list", () => {
  test("is a kind of its own, apart from what waits and from whose agent has left, and is not counted", () => {
    const [denied, waiting] = [session("d"), session("w", { questions: [approval], presence: { asker: "attached", openIn: [] } })];
    expect([kindOf(denied), kindOf(waiting), isDenial(denied), isDenial(waiting)]).toEqual(["denial", "approval", true, false]);
    expect(splitByPresence([denied, waiting], 10_000_000)).toEqual({ waiting: [waiting], left: [], denied: [denied] });
    expect(waitingIn(new Map([denied, waiting].map((each) => [each.id, each])))).toBe(1);
  });

  test("is decided alone", () => {
    expect(equalApprovals(session("a"), question, [session("b")])).toEqual([]);
  });
});

describe("what people are told of a denial", () => {
  test("says who denied it and how it judged", () => {
    const { denial } = described(session("d")).what;
    expect(denial && denialText(denial, (text) => text)).toBe("Denied by auto mode · risk: high · asked for by the user: low");
    expect(denialText({ reviewer: "auto mode", status: "unavailable" }, (text) => text)).toBe("Denied, since auto mode gave no verdict");
  });

  test.each([
    ["allow", "Denial overruled by Ada in the browser"],
    ["deny", "Denial agreed with by Ada in the browser"],
  ])("says how it ended: %s", (value, words) => {
    const { outcome } = described(answered(value));
    expect(outcome && outcomeText(outcome, (text) => text)).toBe(words);
  });

  test("says nothing of a delivery where the agent need not be told", () => {
    expect(deliveryOf(answered("deny", { delivery: { deliveredAt: 5 } }))).toBeUndefined();
    expect(deliveryOf(answered("allow"))).toBe("waits");
  });
});
