export { can, openMachine, type Stepped, step } from "./session/machine.ts";
export type { MachineContext, MachineInput, MachineSnapshot, SessionEvent } from "./session/machine-types.ts";
export { sessionStates } from "./session/record.ts";
export { refusals } from "./session/refusals.ts";
export { sessionMachine } from "./session/session-machine.ts";
export { stateOf, statuses, statusOf } from "./session/view.ts";
