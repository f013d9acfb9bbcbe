import type { Signal } from "@askbox/core";
import { type OperationName, operations } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";

/** The context of an operation: the key of a request that may be repeated, and when its caller stops waiting. */
export interface PerformContext {
  op?: string | undefined;
  signal?: Signal | undefined;
}

/**
 * Calls the port's method of an operation with its parsed parameters. `Ports` makes sure that the ports fit the table; the compiler cannot
 * follow a name that is only known at run time.
 */
export function perform(
  ports: Partial<Ports<"parsed">>,
  name: OperationName,
  params: Readonly<Record<string, unknown>>,
  { op, signal }: PerformContext = {},
): Promise<unknown> {
  const { call, args, repeat } = operations[name];
  const [portName = "", method = ""] = call?.split(".") ?? [];
  const options = Object.fromEntries(Object.entries(params).filter(([key]) => key !== "by" && !args.some((arg) => arg === key)));
  if (repeat !== "read" && op !== undefined) options["idempotencyKey"] = op;
  if (repeat === "held") options["signal"] = signal;
  const port: object = Reflect.get(ports, portName);
  // Not awaited here, which would keep the parameters in memory for as long as the call waits.
  const called: Promise<unknown> = Reflect.apply(Reflect.get(port, method), port, [...args.map((key) => params[key]), options]);
  return called.then(orNull);
}

const orNull = (result: unknown): unknown => result ?? null;
