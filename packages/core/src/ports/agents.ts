import * as z from "zod";

/** An agent that was registered under an id, for example by the program that starts it. */
export const registeredAgentSchema = z.object({
  id: z.string().trim().min(1).max(200),
  /** Its display name. */
  name: z.string().trim().min(1).max(200).optional(),
  /** A command that resumes its conversation after it has ended; shown to people, never run. */
  resume: z.string().trim().min(1).max(2_000).optional(),
});
/** Information about an agent, registered by its id. */
export type RegisteredAgent = z.infer<typeof registeredAgentSchema>;

/**
 * The registered agents. While there are none, `ask_human` accepts any id; afterwards only theirs. Test an implementation with
 * `agentsContract` from `@askbox/core/testing`.
 */
export interface Agents {
  /** All of them, in the order in which they were first added. */
  list(): Promise<RegisteredAgent[]>;
  /** Adds an agent, or replaces its entry. Throws `VALIDATION`, `STORE_UNAVAILABLE`. */
  add(agent: RegisteredAgent): Promise<RegisteredAgent>;
  /** Returns whether it existed. */
  remove(id: string): Promise<boolean>;
}
