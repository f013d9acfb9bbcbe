import type { AppServer } from "./app-server.ts";

/** The first request of a connection, without which the daemon answers no other. */
export async function introduce(server: AppServer, version: string, timeout?: number): Promise<void> {
  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unneeded };
  await server.request("initialize", { clientInfo: { name: "askbox", title: "askbox", version }, capabilities }, timeout);
}

/** Frequent notifications about what an agent says and does. */
const unneeded = [
  ...["item/agentMessage/delta", "item/plan/delta", "item/completed", "item/fileChange/outputDelta", "item/fileChange/patchUpdated"],
  ...["item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta", "item/mcpToolCall/progress"],
  ...["item/commandExecution/outputDelta", "command/exec/outputDelta", "process/outputDelta", "thread/tokenUsage/updated"],
  ...["account/rateLimits/updated", "turn/diff/updated", "turn/plan/updated", "rawResponse/completed", "rawResponseItem/completed"],
];
