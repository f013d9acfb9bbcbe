const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The conversation of the client that started this process, by the client's own id. Only Claude Code provides it, in
 * `CLAUDE_CODE_SESSION_ID`: to its shells since 2.1.132 and to stdio servers since 2.1.154. After `/clear`, a server still has the id that
 * it was started with.
 */
export function knownConversation(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const id = env["CLAUDECODE"] === "1" ? env["CLAUDE_CODE_SESSION_ID"]?.trim() : undefined;
  return id !== undefined && uuid.test(id) ? id.toLowerCase() : undefined;
}
