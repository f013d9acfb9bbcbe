import { oldestAndNewest } from "./runs.ts";
import { describeRuns, plan } from "./suite.ts";

describeRuns(await plan(oldestAndNewest));
