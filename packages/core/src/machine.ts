export type { MachineContext, MachineInput, MachineSnapshot, SessionEvent } from "./session/machine.ts";
export { can, openMachine, type Stepped, sessionMachine, step } from "./session/machine.ts";
export { sessionStates } from "./session/record.ts";
export { refusals } from "./session/refusals.ts";
export { stateOf, statuses, statusOf } from "./session/view.ts";
