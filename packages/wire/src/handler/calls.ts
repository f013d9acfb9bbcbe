import type { Opened } from "@askbox/core";
import type * as z from "zod";
import type { MethodName, methods, Role } from "../protocol/methods.ts";

type Spec<Name extends MethodName> = (typeof methods)[Name];

/** What a call knows of the request that made it. */
export interface CallContext {
  id: number;
  /** The name by which a repeated request is recognised. */
  op: string | undefined;
  /** Sends word that an ask's questions are open, before its result. */
  opened(opened: Opened): void;
  /** Aborts when the request is cancelled or the channel closes. */
  signal: AbortSignal;
  /** Keeps the request going after its reply, until it is cancelled or the channel closes; `end` is called then, once. */
  hold(end: () => void): void;
}

export type Call<Name extends MethodName> = (
  params: z.output<Spec<Name>["params"]>,
  context: CallContext,
) => Promise<z.input<Spec<Name>["result"]>>;

type MethodsOf<Who extends Role> = { [Name in MethodName]: Spec<Name>["role"] extends Who ? Name : never }[MethodName];

/** One call for each method of a role: a role's methods cannot be forgotten, nor those of another be reached. */
export type CallsOf<Who extends Role> = { readonly [Name in MethodsOf<Who>]: Call<Name> };
