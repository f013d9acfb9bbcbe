import { isObject, type JsonObject, own, written } from "./messages.ts";

/** The only messages that are not forwarded as they came: those that were asked to be changed. */

/** An MCP server of a session, as ACP names it. */
export interface ServerEntry {
  name: string;
  command: string;
  args: readonly string[];
  env: readonly { name: string; value: string }[];
}

/** The changed message; the line as it came if the message is nested too deeply to be written again. */
function lineOf(message: JsonObject, line: Buffer): Buffer {
  const text = written(message);
  return text === undefined ? line : Buffer.from(`${text}\n`);
}
const objectAt = (holder: unknown, name: string): JsonObject => {
  const found = own(holder, name);
  return isObject(found) ? found : {};
};

/** `initialize`, as from an editor that knows forms. */
export function declareForms(message: JsonObject, line: Buffer): Buffer {
  const { params } = message;
  if (!isObject(params)) return line;
  const capabilities = objectAt(params, "clientCapabilities");
  const elicitation = { ...objectAt(capabilities, "elicitation"), form: {} };
  return lineOf({ ...message, params: { ...params, clientCapabilities: { ...capabilities, elicitation } } }, line);
}

/** `session/new` and the like, with our server, unless the session has one of that name. Claude asks no permission for its tools. */
export function withServer(message: JsonObject, line: Buffer, server: ServerEntry): Buffer {
  const { params } = message;
  if (!isObject(params)) return line;
  const servers = Array.isArray(params["mcpServers"]) ? params["mcpServers"] : [];
  if (servers.some((each) => own(each, "name") === server.name)) return line;
  const meta = objectAt(params, "_meta");
  const claudeCode = objectAt(meta, "claudeCode");
  const options = objectAt(claudeCode, "options");
  const allowed = Array.isArray(options["allowedTools"]) ? options["allowedTools"] : [];
  const allowedTools = [...allowed, `mcp__${server.name}__ask_user`, `mcp__${server.name}__get_answer`];
  const _meta = { ...meta, claudeCode: { ...claudeCode, options: { ...options, allowedTools } } };
  return lineOf({ ...message, params: { ...params, mcpServers: [...servers, server], _meta } }, line);
}
