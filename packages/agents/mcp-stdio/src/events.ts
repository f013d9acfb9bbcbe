import type { FindHubOptions } from "@askbox/home";
import type { AnswerEvents } from "@askbox/mcp";
import { ProtocolError } from "@modelcontextprotocol/server";

/** Milliseconds: with a webhook, the hub asks its receiver first. */
const timeout = 30_000;
/** Characters of an answer. */
const longest = 1_048_576;

/** The events of the hub for an agent on stdio: each request is passed on to the hub's own MCP, in the name of this agent. */
export function hubEvents(options: FindHubOptions): AnswerEvents {
  return async ({ method, params, meta, signal, asker }) => {
    const { info } = await asker();
    const { findHub, httpText } = await import("@askbox/home");
    const { url, token, fingerprint } = await findHub(options);
    const named = { "askbox/project": info.project, "askbox/agent": info.agentId };
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": String(meta["io.modelcontextprotocol/protocolVersion"]),
      "mcp-method": method,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...meta, ...named } } });
    const { text } = await httpText(url, "/mcp", { method: "POST", headers, body, timeout, longest, fingerprint, signal });
    const { result, error } = JSON.parse(text) as { result?: Record<string, unknown>; error?: ProtocolError };
    if (result === undefined) throw new ProtocolError(error?.code ?? -32_603, error?.message ?? "The hub has no events.", error?.data);
    return result;
  };
}
