import { Session } from "node:inspector";
import { workerData } from "node:worker_threads";

/** How often it is looked, in ms. */
const every = 100;

const until = new Float64Array(workerData as SharedArrayBuffer);
const session = new Session();
session.connectToMainThread();
setInterval(() => {
  const [limit = 0] = until;
  // Its own timer comes first where the thread is not busy.
  if (limit === 0 || performance.timeOrigin + performance.now() < limit + every) return;
  until[0] = 0;
  session.post("Runtime.terminateExecution");
}, every);
