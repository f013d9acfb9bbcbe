import type { AskInput } from "@askbox/core";
import { createElement } from "react";
import { expect, test } from "vitest";
import { OutcomeMark } from "../src/history/history-list.tsx";
import { Outcome } from "../src/session/outcome.tsx";
import { cleansUp, opened, shown } from "./page.ts";

cleansUp();

const action = { kind: "command", command: "ls" } as const;
const approval = { id: "q", type: "approval", question: "May I?", action } as const;
const plan = { ...approval, action: { kind: "plan", text: "Drop the table." } } as const;

test.each<[string, AskInput["questions"][number], string, string, string]>([
  ["a denied action", approval, "deny", "Denied", "denied"],
  ["an allowed action", approval, "allow", "Allowed once", "allowed"],
  ["an approved plan", plan, "allow", "Plan approved", "approved"],
  ["a plan that was sent back", plan, "deny", "Kept planning", "kept"],
  ["a No", { id: "q", type: "confirm", question: "Sure?" }, "no", "Answered", "answered"],
])("%s looks like one in the history and in its own page", async (_, question, value, said, ending) => {
  const { stage, id } = await opened({ questions: [question] });
  const session = await stage.broker.desk({ surface: "cli" }).answer(id, { answers: [{ questionId: "q", values: [value] }] });
  const [mark, page] = [
    shown(stage, createElement(OutcomeMark, { session })),
    shown(stage, createElement(Outcome, { session, here: false })),
  ];
  expect(mark.textContent).toBe(said);
  expect(page.querySelector("#outcome-title")?.textContent).toBe(`${said} on the command line`);
  expect([mark, page].map((part) => part.querySelector("[data-ending]")?.getAttribute("data-ending"))).toEqual([ending, ending]);
});
