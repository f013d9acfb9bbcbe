import { AskboxError, type ErrorCode, errorCodes } from "@askbox/core";
import { findHub } from "@askbox/home";
import type { GlobalOptions } from "./context.ts";
import { hubCommand } from "./hub-command.ts";
import type { Io } from "./io.ts";

/** A link that logs one browser in, once, within 10 minutes. */
export interface LoginLinks {
  /** Under the address by which this command reaches the hub. */
  link: string;
  /** For other machines; none where the hub cannot be reached from them. */
  outside: string[];
  /** The port that the hub listens on, or that leads to it. */
  port: string;
}

/** Asks the hub for a link, starting this home's own hub if it must. Throws what `findHub` throws, and what the hub says. */
export async function loginLinks({ io, globals }: { io: Pick<Io, "env">; globals: GlobalOptions }): Promise<LoginLinks> {
  const { url, token } = await findHub({
    role: "desk",
    env: io.env,
    hubUrl: globals.hub,
    tokenFile: globals.tokenFile,
    start: true,
    hubCommand: hubCommand(),
  });
  const { code, outside } = await askForCode(url, token);
  const { hostname, port, protocol } = new URL(url);
  const link = `${url}/#login=${code}`;
  return {
    link,
    outside: isLoopback(hostname) ? outside : [link],
    port: port || (protocol === "https:" ? "443" : "80"),
  };
}

async function askForCode(url: string, token: string): Promise<{ code: string; outside: string[] }> {
  const response = await fetch(`${url}/auth/codes`, { method: "POST", headers: { authorization: `Bearer ${token}` } }).catch(
    (cause: unknown) => {
      throw new AskboxError("HUB_UNREACHABLE", `No askbox hub answers at ${url}; start it, or correct --hub or ASKBOX_HUB.`, { cause });
    },
  );
  const body: unknown = await response.json().catch(() => undefined);
  const answer = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const { code, outside, detail } = answer;
  if (response.status === 201 && typeof code === "string") {
    return { code, outside: Array.isArray(outside) ? outside.filter((link) => typeof link === "string") : [] };
  }
  if (response.status === 404) {
    throw new AskboxError(
      "PROTOCOL_MISMATCH",
      "The hub that runs is too old for the web inbox; stop it with `askbox hub stop` and try again.",
    );
  }
  const known = typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "HUB_UNREACHABLE";
  throw new AskboxError(known, typeof detail === "string" ? detail : `The hub at ${url} gave no login link (HTTP ${response.status}).`);
}

const isLoopback = (hostname: string) => hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
