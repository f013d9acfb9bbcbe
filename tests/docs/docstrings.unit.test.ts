import { expect, test } from "vitest";
import { undocumented } from "../../docs/reference/undocumented.ts";

const comment = { summary: [{ kind: "text", text: "Words." }] };

test("an export without a docstring is reported, and so is each entry that exports it again", () => {
  const project = {
    id: 0,
    name: "askbox",
    children: [
      {
        id: 1,
        name: "core/src",
        children: [
          { id: 2, name: "documented", comment },
          { id: 3, name: "called", signatures: [{ id: 4, name: "called", comment }] },
          { id: 5, name: "bare" },
          { id: 6, name: "silent", signatures: [{ id: 7, name: "silent" }] },
          { id: 8, name: "blank", comment: { summary: [] } },
        ],
      },
      {
        id: 9,
        name: "core/src/schemas",
        children: [
          { id: 10, name: "documented", target: 2 },
          { id: 11, name: "outside", target: 99 },
          { id: 12, name: "bare", target: 5 },
        ],
      },
    ],
  };
  expect(undocumented(project)).toEqual(["core/src: bare", "core/src: silent", "core/src: blank", "core/src/schemas: bare"]);
});
