import { expect, test } from "vitest";
import { propertiesReadIn, type ShownIn, shownProblems } from "./shown-fields.ts";

const table: ShownIn = { urgency: ["web", "terminal"], seenAt: ["web"], revision: "not shown: says which of two views is newer" };
const readsOf = (web: string, terminal: string) => ({
  web: propertiesReadIn("a.tsx", web),
  terminal: propertiesReadIn("a.ts", terminal),
});

test("a field that each of its inboxes reads is shown", () => {
  const web = "const row = ({ urgency }) => <p>{urgency}{session.seenAt}</p>;";
  expect(shownProblems(readsOf(web, "line(view?.urgency)"), table)).toEqual([]);
});

test("a field that is stored, and that an inbox forgot, is told", () => {
  const problems = shownProblems(readsOf("use(session.urgency, session.seenAt)", "const written = { urgency: 1 };"), table);
  expect(problems).toEqual([expect.stringMatching(/^The terminal inbox doesn't read urgency of a session; show it in apps.tui.src/)]);
});

test("a field that no inbox shows is told for each that should", () => {
  expect(shownProblems(readsOf("", ""), table)).toHaveLength(3);
});
