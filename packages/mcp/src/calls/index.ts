// What only a call needs. The server imports it with the first call, so that a client's list of tools does not wait for it.
export { ask } from "./ask.ts";
export { getAnswer } from "./get-answer.ts";
export { cancelTask, getTask, updateTask } from "./session-task.ts";
