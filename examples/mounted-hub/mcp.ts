import type { MountService } from "@askbox/hub";
import { createHttpHandler } from "@askbox/mcp/http";

/** MCP on a hub at `/mcp`, and at `/sse` for the oldest clients, for agents with a token of the scope `asker`. */
export const mcp: MountService = ({ asker, authorize, limits, onRevoked, platform }) => {
  const handler = createHttpHandler({ asker, platform, version: "1.0.0", maxBodyBytes: limits.requestBytes });
  const stop = onRevoked((owner) => handler.end(owner));
  return {
    paths: ["/mcp", "/sse", "/messages"],
    async fetch(request) {
      const { owner, agentId, shared } = await authorize(request, "asker");
      return handler.fetch(request, { authInfo: { token: "", clientId: owner, scopes: ["asker"], extra: { agentId, shared } } });
    },
    async close() {
      stop();
      await handler.close();
    },
  };
};
