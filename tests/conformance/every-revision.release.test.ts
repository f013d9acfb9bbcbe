import { expect, test } from "vitest";
import { type LeftOut, leftOut } from "./left-out.ts";
import { oldestAndNewest, others } from "./runs.ts";
import { describeRuns, plan } from "./suite.ts";

const planned = await plan(others);
const all = [...planned, ...(await plan(oldestAndNewest))];

describeRuns(planned);

test("each excluded scenario exists in the suite", () => {
  const isKnown = ({ suite, scenario }: LeftOut) => all.some((run) => run.suite === suite && run.scenarios.includes(scenario));
  expect(leftOut.filter((entry) => !isKnown(entry))).toEqual([]);
});
