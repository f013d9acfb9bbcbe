import { operationNames, operations } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";
import type { Calls } from "./calls.ts";

/** The ports of a hub. `by` is the person on whose behalf they act, if that is not who connected. */
export function remotePorts(calls: Calls, by?: { name: string }): Ports<"sent"> {
  // keys: the ports of our own operations.
  const ports: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const { call, args, params: schema } = operations[name];
    if (call === null) continue;
    const [port = "", method = ""] = call.split(".");
    const who = "by" in schema.shape && { by };
    ports[port] ??= {};
    ports[port][method] = async (...values: unknown[]) => {
      const { idempotencyKey: op, ...options } = Object(values[args.length]);
      const params = { ...Object.fromEntries(args.map((key, at) => [key, values[at]])), ...options, ...who };
      return (await calls.call(name, { params: () => params, op }).result) ?? undefined;
    };
  }
  // Built from the same table as the type.
  return ports as Ports<"sent">;
}
