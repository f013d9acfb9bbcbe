// What only a call needs. The server imports it with the first call, so that listing the tools is fast.
export { ask } from "./ask.ts";
export { namedAsker } from "./call.ts";
export { getAnswer } from "./get-answer.ts";
export { getFiles } from "./get-files.ts";
export { cancelTask, getTask, updateTask, watchTask } from "./session-task.ts";
