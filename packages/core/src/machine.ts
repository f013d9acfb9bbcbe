export { can, type MachineContext, type MachineSnapshot, openMachine, type SessionEvent, type Stepped, step } from "./session/machine.ts";
export { sessionStates } from "./session/record.ts";
export { refusals } from "./session/refusals.ts";
export { stateOf, statuses, statusOf } from "./session/view.ts";
