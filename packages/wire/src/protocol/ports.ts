import type { Idempotent, Signal } from "@askbox/core";
import type * as z from "zod";
import type { OperationName, operations, Repeat, Role } from "./operations.ts";

type Operations = typeof operations;
type CallOf<Name extends OperationName> = Operations[Name]["call"];
/** The operations that call a port's method. */
type CallingName = { [Name in OperationName]: CallOf<Name> extends string ? Name : never }[OperationName];
type PortName<Who extends Role> = {
  [Name in CallingName]: Operations[Name]["role"] extends Who ? (CallOf<Name> extends `${infer Port}.${string}` ? Port : never) : never;
}[CallingName];

/** The hub calls its ports with what it has parsed (`parsed`); a client calls them with what is to be sent (`sent`). */
type Side = "parsed" | "sent";
type ParamsOf<Name extends OperationName, At extends Side> = At extends "sent"
  ? z.input<Operations[Name]["params"]>
  : z.output<Operations[Name]["params"]>;
type ResultOf<Name extends OperationName, At extends Side> = At extends "sent"
  ? z.output<Operations[Name]["result"]>
  : z.input<Operations[Name]["result"]>;

type ArgsOf<Keys extends readonly string[], Params> = { [At in keyof Keys]: Params[Keys[At] & keyof Params] };
/** What the options have besides the parameters. */
type More<How extends Repeat> = How extends "held" ? Idempotent & { signal?: Signal } : How extends "operation" ? Idempotent : unknown;
type OptionsOf<Options> = keyof Options extends never
  ? []
  : string extends keyof Options
    ? []
    : Partial<Options> extends Options
      ? [options?: Options]
      : [options: Options];
/** JSON has no undefined. */
type Returned<Result> = [Result] extends [null] ? Promise<void> : Promise<null extends Result ? Exclude<Result, null> | undefined : Result>;

type PortMethod<Name extends OperationName, At extends Side> = (
  ...args: [
    ...ArgsOf<Operations[Name]["args"], ParamsOf<Name, At>>,
    ...OptionsOf<Omit<ParamsOf<Name, At>, Operations[Name]["args"][number] | "by"> & More<Operations[Name]["repeat"]>>,
  ]
) => Returned<ResultOf<Name, At>>;

/** The ports of a role, with a method for each of its operations. */
export type Ports<At extends Side, Who extends Role = Role> = {
  readonly [Port in PortName<Who>]: {
    [Name in CallingName as CallOf<Name> extends `${Port}.${infer Method}` ? Method : never]: PortMethod<Name, At>;
  };
};
