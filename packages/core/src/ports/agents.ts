import * as z from "zod";

/** An agent that somebody has made known under an id, as whoever starts agents does. */
export const registeredAgentSchema = z.object({
  id: z.string().trim().min(1).max(200),
  /** What people call it. */
  name: z.string().trim().min(1).max(200).optional(),
  /** A command line that takes its conversation up again once it has left; shown to people, never run. */
  resume: z.string().trim().min(1).max(2_000).optional(),
});
/** What is known about an agent that was registered by its id. */
export type RegisteredAgent = z.infer<typeof registeredAgentSchema>;

/**
 * The agents that are known by id. As long as there are none, `ask_human` takes any id; from the first one on it refuses others.
 * Prove an implementation with `agentsContract` from `@askbox/core/testing`.
 */
export interface Agents {
  /** All of them, in the order in which they were first added. */
  list(): Promise<RegisteredAgent[]>;
  /** Adds an agent, or replaces what is known of it. Throws `VALIDATION`, `STORE_UNAVAILABLE`. */
  add(agent: RegisteredAgent): Promise<RegisteredAgent>;
  /** Whether it was there. */
  remove(id: string): Promise<boolean>;
}
