import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";

/** The interval between checks, in ms. */
const every = 100;

const until = new Float64Array(workerData as SharedArrayBuffer);
const session = new Session();
session.connectToMainThread();
setInterval(() => {
  const [limit = 0] = until;
  // If the thread is not busy, its own timer fires first.
  if (limit === 0 || performance.timeOrigin + performance.now() < limit + every) return;
  until[0] = 0;
  session.post("Runtime.terminateExecution");
}, every);
