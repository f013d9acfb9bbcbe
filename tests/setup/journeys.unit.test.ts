import { expect, test } from "vitest";
import { journeyProblems, journeysIn } from "../../scripts/check-journeys.ts";

const page = `# Architecture

## Three journeys

What one reads.

### An ask

1. \`packages/agents/mcp/src/ask.ts\` reads the call.
2. \`packages/wire/src\`: \`client/calls.ts\`, \`client/link.ts\`, and \`packages/hub/src/hub.ts\` carry it.
3. \`packages/agents/mcp/src/ask.ts\` writes the result.

### An approval

- \`packages/hub-process/src/approvals.ts\`

### A chat

- \`packages/reach/chat/src\`: \`react.ts\`

## Build

1. \`scripts/build.ts\`
`;

test("a journey has the files of its steps, in order and each once", () => {
  expect(journeysIn(page)).toEqual([
    {
      title: "An ask",
      files: [
        "packages/agents/mcp/src/ask.ts",
        "packages/wire/src/client/calls.ts",
        "packages/wire/src/client/link.ts",
        "packages/hub/src/hub.ts",
      ],
    },
    { title: "An approval", files: ["packages/hub-process/src/approvals.ts"] },
    { title: "A chat", files: ["packages/reach/chat/src/react.ts"] },
  ]);
});

test("it is told which file is not there any more", () => {
  const isThere = (path: string) => path !== "packages/wire/src/client/link.ts";
  expect(journeyProblems(journeysIn(page), isThere)).toEqual([
    'The journey "An ask" names packages/wire/src/client/link.ts, which is not there; say where it is now.',
  ]);
  expect(journeyProblems(journeysIn(page), () => true)).toEqual([]);
});

test("a journey without files, and one that is gone, are told", () => {
  expect(journeyProblems(journeysIn(page.replace("- `packages/hub-process/src/approvals.ts`", "Nothing.")), () => true)).toEqual([
    'The journey "An approval" names no files.',
  ]);
  expect(journeyProblems(journeysIn(page.replace("### A chat", "A chat")), () => true)).toEqual([
    "docs/architecture.md has 2 journeys instead of three.",
  ]);
});
