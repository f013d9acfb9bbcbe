export { type Task, type TaskFacts, type TaskState, taskHandle } from "./task.ts";
export {
  refusedListen,
  refuseListens,
  requireTasks,
  serveTasks,
  type TaskPort,
  takesTasks,
  tasksExtension,
  unknownTask,
} from "./tasks-extension.ts";
