import { once } from "node:events";
import { WebSocket } from "ws";
import { until } from "../support/until.ts";

/** The inspector of another Node process, which examines its live objects from outside, without a hook in the product. */
export interface Inspector {
  /** Evaluates an expression in the process and returns its value, which must be JSON. */
  evaluate<Value>(expression: string): Promise<Value>;
  /**
   * Collects garbage, then passes an array of all live objects with this prototype to `reduce`, the source of a function. `prototype` is an expression.
   */
  live<Value>(prototype: string, reduce: string): Promise<Value>;
  collectGarbage(): Promise<void>;
  close(): void;
}

interface Reply {
  id?: number;
  error?: { message: string };
  result?: {
    result?: { value?: unknown; objectId?: string };
    objects?: { objectId?: string };
    exceptionDetails?: { exception?: { description?: string } };
  };
}

/** `port` is the one passed as `--inspect=127.0.0.1:PORT`. */
export async function connectInspector(port: number): Promise<Inspector> {
  const url = await until("the inspector listens", async () => {
    const targets = await fetch(`http://127.0.0.1:${port}/json`).then(
      (response) => response.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => [],
    );
    return targets[0]?.webSocketDebuggerUrl;
  });
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  socket.on("message", (data) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id === undefined) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  socket.on("close", () => {
    for (const resolve of waiting.values()) resolve({ error: { message: "the process is gone" } });
  });
  const send = async (method: string, params: object = {}) => {
    last += 1;
    const id = last;
    const answered = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, result = {} } = await answered;
    const thrown = error?.message ?? result.exceptionDetails?.exception?.description;
    if (thrown !== undefined) throw new Error(`${method}: ${thrown}`);
    return result;
  };
  return {
    async evaluate<Value>(expression: string) {
      return (await send("Runtime.evaluate", { expression, returnByValue: true })).result?.value as Value;
    },
    async live<Value>(prototype: string, reduce: string) {
      // Releases everything that the inspector itself would keep alive.
      const objectGroup = "soak";
      try {
        const found = await send("Runtime.evaluate", { expression: prototype, objectGroup });
        const { objects } = await send("Runtime.queryObjects", { prototypeObjectId: found.result?.objectId, objectGroup });
        const call = { objectId: objects?.objectId, functionDeclaration: `function () { return (${reduce})(this); }`, returnByValue: true };
        return (await send("Runtime.callFunctionOn", call)).result?.value as Value;
      } finally {
        await send("Runtime.releaseObjectGroup", { objectGroup });
      }
    },
    async collectGarbage() {
      // Twice, since the first collection may release references to more.
      await send("HeapProfiler.collectGarbage");
      await send("HeapProfiler.collectGarbage");
    },
    close: () => socket.close(),
  };
}
