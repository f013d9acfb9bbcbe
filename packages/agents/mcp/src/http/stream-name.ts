import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

/** Longer request ids are not included in a name, in characters of JSON. */
const maxCharacters = 100;

/**
 * A stream name that contains the request that it answers, so that the call can be ended for a client that resumes it after everything else
 * about it was lost.
 */
export function nameFor(stream: string, id: RequestId): string {
  const text = JSON.stringify(id);
  return text.length > maxCharacters ? stream : `${stream}~${encodeURIComponent(text).replaceAll(".", "%2E")}`;
}

/** The request that a stream with this name answers; undefined if the name does not contain it. */
export function requestIn(name: string): RequestId | undefined {
  try {
    const id: unknown = JSON.parse(decodeURIComponent(name.slice(name.indexOf("~") + 1)));
    return name.includes("~") && (typeof id === "string" || typeof id === "number") ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The result of a call that does not continue, but whose questions stay open. */
export const failure = (id: RequestId, why: string): JSONRPCMessage => {
  const text = `Failed: ${why}. The questions stay open; ask again to keep waiting.`;
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } };
};
