import { AskboxError } from "@askbox/core";
import { browserOrigin, outsideOrigins } from "../auth/addresses.ts";
import { sourceOf } from "./hub-fetch.ts";
import type { HubOptions } from "./hub-options.ts";
import type { NodeServer } from "./node-server.ts";

/** A path that needs no escaping anywhere; empty for the root. */
const plainPath = /^(\/[\w.~-]+)*$/;

/**
 * Where a hub is reached. `server` is asked later, since it is created with what depends on the address. Throws `VALIDATION` for what is no
 * path or origin.
 */
export function hubAddress(
  { origin, basePath: mountedAt = "", tls, allowedHosts = [] }: Pick<HubOptions, "origin" | "basePath" | "tls" | "allowedHosts">,
  server: () => Pick<NodeServer, "at" | "certificate">,
) {
  const basePath = checkedBasePath(mountedAt);
  if (typeof origin === "string") checkedOrigin(origin);
  const configured = () => {
    const text = typeof origin === "function" ? origin() : origin;
    return text === undefined ? undefined : checkedOrigin(text);
  };
  const own = () => {
    const named = configured();
    const { at } = server();
    if (at !== undefined) return at.origin;
    if (named !== undefined) return named.origin + named.path;
    throw new AskboxError("VALIDATION", "The hub does not know its address; call listen, or pass origin to createHub.");
  };
  return {
    basePath,
    /** Throws `VALIDATION` if the hub neither listens nor has an `origin`. */
    url: () => own() + basePath,
    /** The `origin` of the options, without its path. */
    configured: () => configured()?.origin,
    /** The prefix of the hub's paths, as the sender of a request sees them. */
    publicPath(request: Request): string {
      const named = configured();
      // A hub that listens itself is also reached without the proxy.
      const isDirect = server().at !== undefined && named !== undefined && sourceOf(request).host !== new URL(named.origin).host;
      return (isDirect ? "" : (named?.path ?? "")) + basePath;
    },
    /** Where browsers find the page, without a trailing slash: those on this machine, and those on others. Throws like `url`. */
    ofPage() {
      const { at, certificate } = server();
      const outside = at === undefined ? [] : outsideOrigins({ ...at, tls: tls !== undefined, allowedHosts });
      return { own: browserOrigin(own(), outside, certificate) + basePath, outside: outside.map((each) => each + basePath) };
    },
  };
}

function checkedBasePath(basePath: string): string {
  if (plainPath.test(basePath)) return basePath;
  throw new AskboxError("VALIDATION", 'A basePath must start with a slash and not end with one, such as "/askbox".');
}

/** An origin, which may have a path that a proxy strips, without a trailing slash. Throws `VALIDATION`. */
function checkedOrigin(origin: string): { origin: string; path: string } {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const path = url?.pathname.replace(/\/$/, "") ?? "";
  if (url !== undefined && /^https?:$/.test(url.protocol) && plainPath.test(path)) return { origin: url.origin, path };
  throw new AskboxError(
    "VALIDATION",
    'An origin must be an http or https URL, such as "https://app.example" or "https://app.example/tools".',
  );
}
