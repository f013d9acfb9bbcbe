import { AskboxError } from "@askbox/core";
import { requestHub } from "@askbox/home";
import * as z from "zod";
import type { GlobalOptions } from "./context.ts";
import { deskHub } from "./hub-command.ts";
import type { Io } from "./io.ts";

/** A link that logs one browser in, once, within 10 minutes. */
export interface LoginLinks {
  /** With the address at which this command reaches the hub. */
  link: string;
  /** For other machines; empty if they can't reach the hub. */
  outside: string[];
  /** The port that the hub listens on, or that leads to it. */
  port: string;
}

const linkSchema = z.object({ code: z.string(), url: z.string(), outside: z.array(z.string()).default([]) });

/** Requests a link from the hub, starting this home's own if necessary. Throws the errors of `findHub` and of the hub. */
export async function loginLinks(caller: { io: Pick<Io, "env">; globals: GlobalOptions }): Promise<LoginLinks> {
  const found = await deskHub(caller);
  const { url, own } = found;
  const made = linkSchema.safeParse(await requestHub(found, { method: "POST", path: "/auth/codes" }));
  if (!made.success) throw new AskboxError("HUB_UNREACHABLE", `The server at ${url} returned no login link; correct --hub or ASKBOX_HUB.`);
  const { code, outside, url: atHome } = made.data;
  const { hostname, port, protocol } = new URL(url);
  // This home's own hub knows which of its names it has a certificate for.
  const link = own === undefined ? `${url}/#login=${code}` : atHome;
  return {
    link,
    outside: isLoopback(hostname) ? outside : [link],
    port: port || (protocol === "https:" ? "443" : "80"),
  };
}

/** The same link, to one session. */
export function linkTo(link: string, sessionId: string): string {
  const url = new URL(link);
  url.pathname += `s/${encodeURIComponent(sessionId)}`;
  return url.href;
}

const isLoopback = (hostname: string) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
