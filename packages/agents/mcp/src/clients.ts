import { knownClient } from "@askbox/core/clients";

const seconds = 1_000;

/** Most clients without a setting time out after 60 s, the SDK's default. */
export const unknownClient: CallLimit = Object.freeze({ ticketAfter: 50 * seconds, cap: null });
/** Progress usually extends a client's timeout; of the clients that were measured, none then has a limit below 120 s. */
const unknownWithProgress: CallLimit = Object.freeze({ ticketAfter: 110 * seconds, cap: null });

/** When a call has to return. Null: no limit. */
export interface CallLimit {
  /** Milliseconds from the start of the call. */
  ticketAfter: number | null;
  /** Milliseconds from the start of the call. */
  cap: number | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conversation of a call, by the client's own id, as far as the client reports it; `fromEnv` reads a variable of the environment. */
export function conversationOf(
  { client, meta }: { client: { name: string }; meta: Readonly<Record<string, unknown>> },
  fromEnv: (variable: string) => string | undefined = () => undefined,
): string | undefined {
  const reported = knownClient(client.name)?.conversation;
  // Processes started from such a client's shells inherit its variables, including other clients.
  if (reported === undefined || "env" in reported) return reported && fromEnv(reported.env);
  const id = meta[reported.meta];
  return typeof id === "string" && uuid.test(id) ? id.toLowerCase() : undefined;
}

export interface CallLimitOptions {
  /** Milliseconds; overrides the table. 0 is no limit. */
  maxWait?: number | undefined;
  /** Whether the call has a progress token. */
  progress: boolean;
  /** Whether this client has cancelled a call before, after the limit of an unknown client without progress. */
  gaveUp?: boolean | undefined;
}

/**
 * The limit of a client's calls. A client that only waits while progress arrives counts as unknown without a progress token. An unknown
 * client with one gets longer calls, until it cancels one.
 */
export function callLimit(name: string, { maxWait, progress, gaveUp = false }: CallLimitOptions): CallLimit {
  if (maxWait !== undefined) return { ticketAfter: maxWait === 0 ? null : maxWait, cap: null };
  const known = knownClient(name);
  if (known === undefined) return progress && !gaveUp ? unknownWithProgress : unknownClient;
  if (known.ticketAfter === null && !progress) return unknownClient;
  return { ticketAfter: known.ticketAfter, cap: known.cap };
}

/** How an agent may ask if askbox cannot be reached: with its client's own tool, in the chat only, or not at all. */
export const fallbacks = ["tool", "chat", "none"] as const;
/** What an agent should do if nobody can be asked through askbox. */
export type Fallback = (typeof fallbacks)[number];

/** What an agent is told to do if nobody can be asked through askbox, as part of a sentence. */
export function fallbackAdvice(name: string, fallback: Fallback): string {
  if (fallback === "none") return "say so and stop";
  if (fallback === "chat") return "ask in the chat";
  const tool = knownClient(name)?.ownTool;
  return tool === undefined ? "use your own question tool, or ask in the chat" : `use your own ${tool} tool, or ask in the chat`;
}
