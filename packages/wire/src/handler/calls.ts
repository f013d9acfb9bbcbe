import type { Opened } from "@askbox/core";
import type * as z from "zod";
import type { MethodName, methods, Role } from "../protocol/methods.ts";

type Spec<Name extends MethodName> = (typeof methods)[Name];

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

export type Call<Name extends MethodName> = (
  params: z.output<Spec<Name>["params"]>,
  context: CallContext,
) => Promise<z.input<Spec<Name>["result"]>>;

type MethodsOf<Who extends Role> = { [Name in MethodName]: Spec<Name>["role"] extends Who ? Name : never }[MethodName];

/** One handler per method of a role: the type ensures that none is missing, and that methods of other roles cannot be called. */
export type CallsOf<Who extends Role> = { readonly [Name in MethodsOf<Who>]: Call<Name> };
