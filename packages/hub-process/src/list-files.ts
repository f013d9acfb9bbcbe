// The lists of a home with a single hub, each in a file that only its owner can read. One that others could have written counts as empty.

import { existsSync } from "node:fs";
import type { Agents, Grant, Grants, Log, RegisteredAgent } from "@askbox/core";
import { grantSchema, registeredAgentSchema } from "@askbox/core/schemas";
import { keptGrants, memoryAgents, memoryList } from "@askbox/core/stores";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";
import type { DeviceStorage, TokenStorage } from "@askbox/hub";

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

/** Grants in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function grantsFile(path: string): Grants {
  const save = async (grants: Grant[]) => writePrivateFile(path, `${JSON.stringify({ grants }, undefined, 2)}\n`);
  return keptGrants(memoryList(readGrants(path), save));
}

function readGrants(path: string): Grant[] {
  const { grants } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
  return (Array.isArray(grants) ? grants : []).flatMap((grant) => grantSchema.safeParse(grant).data ?? []);
}

/** Devices in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function deviceFile(path: string): DeviceStorage {
  return {
    load() {
      const { devices } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
      return Array.isArray(devices) ? devices : [];
    },
    save: (devices) => writePrivateFile(path, `${JSON.stringify({ devices }, undefined, 2)}\n`),
  };
}

/** Named tokens in a file of this home that only its owner can read. A file that others could have written is ignored. */
export function tokenFile(path: string, log: Log): TokenStorage {
  return {
    load() {
      const { tokens } = (isPrivate(path) ? readJsonFile(path) : undefined) ?? {};
      if (Array.isArray(tokens)) return tokens;
      if (existsSync(path)) log("warn", "The named tokens are ignored: others can open their file, or it is damaged", { path });
      return [];
    },
    save: (tokens) => writePrivateFile(path, `${JSON.stringify({ tokens }, undefined, 2)}\n`),
  };
}
