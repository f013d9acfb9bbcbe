import type { Agents, RegisteredAgent } from "@askbox/core";
import { registeredAgentSchema } from "@askbox/core/schemas";
import { memoryAgents } from "@askbox/core/stores";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";

/** Agents in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function agentsFile(path: string): Agents {
  return memoryAgents({
    agents: readAgents(path),
    save: async (agents) => writePrivateFile(path, `${JSON.stringify({ agents }, undefined, 2)}\n`),
  });
}

function readAgents(path: string): RegisteredAgent[] {
  const { agents } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
  return (Array.isArray(agents) ? agents : []).flatMap((agent) => registeredAgentSchema.safeParse(agent).data ?? []);
}
