import type { Agents, Grants, SharedState } from "@askbox/core";
import { grantSchema, registeredAgentSchema } from "@askbox/core/schemas";
import { keptAgents, keptGrants } from "@askbox/core/stores";
import { sharedList } from "./shared-list.ts";

/** Registered agents shared by several hubs. */
export const sharedAgents = (shared: SharedState): Agents => keptAgents(sharedList(shared, "agents", registeredAgentSchema));

/** Grants shared by several hubs. */
export const sharedGrants = (shared: SharedState): Grants => keptGrants(sharedList(shared, "grants", grantSchema));
