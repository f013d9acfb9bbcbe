import type { CreateElicitationRequest, PermissionOption, RequestPermissionResponse } from "@agentclientprotocol/sdk";

/**
 * Reads ACP's messages from copies of the forwarded lines. Nothing here refuses a message: one that isn't understood is forwarded.
 */

export type JsonObject = Record<string, unknown>;
export type { CreateElicitationRequest, PermissionOption, RequestPermissionResponse };

export const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of an object that came from outside; undefined if it has none of that name itself. */
export const own = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);

export const textAt = (value: unknown, name: string): string | undefined => {
  const found = own(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
};

/** A message's id as its JSON text: 0 and "0" differ. Undefined without one, and for one that a copy can't hold exactly. */
export function idOf(message: unknown, name = "id"): string | undefined {
  const id = own(message, name);
  if (typeof id === "string" || (typeof id === "number" && (Number.isSafeInteger(id) || !Number.isInteger(id)))) return JSON.stringify(id);
  return undefined;
}

/** Also true without a result or an error. */
export const isResponse = (message: unknown): boolean =>
  isObject(message) && !Object.hasOwn(message, "method") && Object.hasOwn(message, "id");

/** The line as JSON; undefined if it is none. */
export function read(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A message as JSON; undefined if it is nested too deeply to be written again. */
export function written(message: unknown): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}

/** A response of our own. `id` is JSON text. */
export const response = (id: string, result: object): object => ({ jsonrpc: "2.0", id: JSON.parse(id), result });
export const failure = (id: string, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id: JSON.parse(id),
  error: { code, message },
});
/** `$/cancel_request`: the sender of a request takes it back. */
export const cancelRequest = (id: string): object => ({
  jsonrpc: "2.0",
  method: "$/cancel_request",
  params: { requestId: JSON.parse(id) },
});
/** JSON-RPC's code for a request that its sender has taken back. */
export const requestCancelled = -32_800;

export const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
export const selected = (optionId: string): RequestPermissionResponse => ({ outcome: { outcome: "selected", optionId } });

/** The options of a permission request that can be chosen: those with an id, a name and a kind. */
export function optionsOf(params: unknown): PermissionOption[] {
  const options = own(params, "options");
  if (!Array.isArray(options)) return [];
  return options.filter((each) => ["optionId", "name", "kind"].every((name) => typeof own(each, name) === "string"));
}

/** The option for a decision that holds this once; undefined if the agent offers none. */
export const onceOption = (options: readonly PermissionOption[], kind: "allow" | "deny"): PermissionOption | undefined =>
  options.find((option) => option.kind === (kind === "allow" ? "allow_once" : "reject_once"));
