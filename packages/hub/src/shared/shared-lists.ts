import type { Agents, Grants, SharedState } from "@askbox/core";
import { grantSchema, registeredAgentSchema } from "@askbox/core/schemas";
import { keptAgents, keptGrants } from "@askbox/core/stores";
import { sharedList } from "./shared-list.ts";

/** The agents that several hubs know by id. */
export const sharedAgents = (shared: SharedState): Agents => keptAgents(sharedList(shared, "agents", registeredAgentSchema));

/** What people have allowed at any of several hubs. */
export const sharedGrants = (shared: SharedState): Grants => keptGrants(sharedList(shared, "grants", grantSchema));
