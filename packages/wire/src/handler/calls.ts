import type { Opened } from "@askbox/core";
import type * as z from "zod";
import type { Role } from "../protocol/operation.ts";
import type { OperationName, operations } from "../protocol/operations.ts";

type Row<Name extends OperationName> = (typeof operations)[Name];

/** The context of a call. */
export interface CallContext {
  id: number;
  /** The id by which a repeated request is recognized. */
  op: string | undefined;
  /** Reports that an ask's questions are open, before its result. */
  opened(opened: Opened): void;
  /** Aborts when the request is cancelled or the channel closes. */
  signal: AbortSignal;
  /** Keeps the request open after its reply, until it is cancelled or the channel closes; `end` is called once then. */
  hold(end: () => void): void;
}

type OwnNames<Who extends Role> = {
  [Name in OperationName]: Row<Name> extends { role: Who; call: null } ? Name : never;
}[OperationName];

/** How a connection serves its role. The type ensures that no operation is missing, and that those of other roles cannot be called. */
export interface CallsOf<Who extends Role> {
  /** The operations that take more than a call of a port. */
  own: {
    readonly [Name in OwnNames<Who>]: (
      params: z.output<Row<Name>["params"]>,
      context: CallContext,
    ) => Promise<z.input<Row<Name>["result"]>>;
  };
  /** All others, with parsed parameters. */
  perform(name: OperationName, params: Readonly<Record<string, unknown>>, context: CallContext): Promise<unknown>;
}
