import { expect, test } from "vitest";
import { unknownScripts } from "../../scripts/workflow-scripts.ts";

test("the check finds a script that a workflow calls and package.json does not have", () => {
  const workflow = `jobs:
  one:
    strategy:
      matrix:
        command:
          - soak --minutes 20
          - fuss
    steps:
      - run: pnpm install
      - run: pnpm tset:unit
      - run: pnpm \${{ matrix.command }}
`;
  expect(unknownScripts(workflow, ["soak", "fuzz", "test:unit"])).toEqual(["tset:unit", "fuss"]);
  expect(unknownScripts(workflow, ["soak", "fuss", "tset:unit"])).toEqual([]);
});
