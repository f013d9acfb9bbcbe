import type { Context } from "hono";
import type { RestEnv } from "../rest/context.ts";
import { chosenEncoding, pageHeaders, type ShellAs, shellPath, type WebFile, type WebFiles } from "./web-files.ts";

/** API paths: if nothing is found there, the response is 404, whatever a browser accepts. */
const reserved = /^\/(api|auth|ws|mcp|sse|messages|metrics|healthz|readyz|openapi\.json)(\/|$)/;
/** A segment of a view's path: no dot, so never a file name, and nothing that encodes a slash, a dot or an end. */
// linear: each character can be matched in one way.
const segment = /^(?:[\w~!'()*@:-]|%(?!00|2e|2f|5c)[\da-f]{2})+$/i;
const isView = (path: string): boolean =>
  path
    .replace(/\/$/, "")
    .split("/")
    .slice(1)
    .every((part) => segment.test(part));
/** File names with a content hash, as the page's build makes them. */
const isHashed = (path: string): boolean => path.startsWith("/assets/") && /-[\w-]{8}\.\w{1,8}$/.test(path);

/** The page of a hub. */
export interface ServedPage {
  files: WebFiles;
  basePath: string;
  shellFor(request: Request): ShellAs;
}

/** Serves the page to anyone, since nothing in it is secret. Returns undefined if the path is neither a file nor a view. */
export async function serveWeb(c: Context<RestEnv>, { files, basePath, shellFor }: ServedPage): Promise<Response | undefined> {
  // Not the router's path, which may be decoded.
  const path = new URL(c.req.url).pathname.slice(basePath.length) || "/";
  const sendShell = async () => {
    const shell = await files.shell(shellFor(c.req.raw));
    return shell && send(c, shell, false);
  };
  if (path === "/") return sendShell();
  const file = await files.at(path);
  if (file !== undefined) return path === shellPath ? sendShell() : send(c, file, isHashed(path));
  const isNavigation = (c.req.header("accept") ?? "").includes("text/html");
  return isNavigation && isView(path) && !reserved.test(path) ? sendShell() : undefined;
}

function send(c: Context<RestEnv>, { body, type, tag, encodings }: WebFile, isImmutable: boolean): Response {
  const encoding = chosenEncoding(c.req.header("accept-encoding"), encodings);
  const etag = `"${tag}${encoding === undefined ? "" : `-${encoding}`}"`;
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  c.header("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  c.header("etag", etag);
  c.header("vary", "Accept-Encoding");
  if (holds(c.req.header("if-none-match"), etag)) return c.body(null, 304);
  c.header("content-type", type);
  if (encoding !== undefined) c.header("content-encoding", encoding);
  const sent = (encoding && encodings[encoding]) ?? body;
  c.header("content-length", String(sent.length));
  return c.body(new Uint8Array(sent));
}

const holds = (header: string | undefined, etag: string) =>
  (header ?? "").split(",").some((item) => ["*", etag].includes(item.trim().replace(/^W\//, "")));
