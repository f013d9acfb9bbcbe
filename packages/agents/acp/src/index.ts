export { type Answerers, answerers } from "./pass.ts";
export type { ServerEntry } from "./rewrite.ts";
export { type AcpSetup, runAcp } from "./run-acp.ts";
export { type RunEvent, type RunOutcome, type RunSetup, runAgent } from "./run-agent.ts";
