// Logging a browser in: a link with a one-time code, the attempts to use one, and what becomes of both when their owner loses access.

import { AskboxError, type Clock, type SharedState } from "@askbox/core";
import { rateLimit, tooOften } from "../limits/rate-limit.ts";
import type { HubAdvice } from "../server/advice.ts";
import type { Devices } from "./devices.ts";
import type { CodeUse, LoginCodes, LoginFor } from "./login-codes.ts";
import type { LoginRefusal } from "./login-refusals.ts";

/** A one-time link that logs in one browser. The code is in the fragment, which browsers do not send. */
export interface LoginLink {
  code: string;
  /** Wall time, ms since the epoch. */
  expiresAt: number;
  /** For a browser on the hub's machine. */
  url: string;
  /** The same link for other machines, if the hub can be reached from them. */
  outside: string[];
}

/** A one-time code by which one machine joins. */
export interface Invitation {
  code: string;
  /** Wall time, ms since the epoch. */
  expiresAt: number;
  /** Where other machines reach the hub; empty if they can't directly. */
  outside: string[];
  /** For programs on the hub's machine, and those that a tunnel leads there. */
  url: string;
}

/** Logs browsers in, and lets machines join. */
export interface LoginDesk {
  readonly devices: Devices;
  /** Throws `CONFLICT` if the hub has no page. */
  createLink(login?: LoginFor): LoginLink & { kept: Promise<void> };
  invite(machine: NonNullable<LoginFor["machine"]>, guarantor: LoginFor["guarantor"]): Invitation & { kept: Promise<void> };
  /** Uses a code up. Returns whom it logs in if it was good, otherwise the message for the browser. */
  redeem(code: string, use?: CodeUse): Promise<{ refusal: LoginRefusal } | { refusal?: undefined; login: LoginFor }>;
  /** Ends the logins and login codes that this owner created. */
  withdraw(owner: string): void;
  /** Whether the named token of this owner is gone. */
  wasRevoked(owner: string): Promise<boolean>;
}

export function loginDesk(parts: {
  codes: LoginCodes;
  devices: Devices;
  /** Whether there is a page to log in to. */
  hasPage: boolean;
  /** The page's addresses, without a trailing slash. */
  addresses: () => { own: string; outside: readonly string[] };
  wasRevoked(owner: string): Promise<boolean>;
  advice: HubAdvice;
}): LoginDesk {
  const { codes, devices, hasPage, addresses, wasRevoked, advice } = parts;
  return {
    devices,
    wasRevoked,
    createLink(login) {
      if (!hasPage) {
        throw new AskboxError("CONFLICT", `This hub has no web inbox; ${advice.noPage}.`);
      }
      const { own, outside } = addresses();
      const { code, expiresAt, kept } = codes.create(login);
      const linkAt = (address: string) => `${address}/#login=${code}`;
      return { code, expiresAt, url: linkAt(own), outside: outside.map(linkAt), kept };
    },
    invite(machine, guarantor) {
      const { own, outside } = addresses();
      return { ...codes.create({ machine, guarantor }), url: own, outside: [...outside] };
    },
    async redeem(code, use = "login") {
      const { verdict, ...login } = await codes.redeem(code, use);
      if (verdict === "good") return { login };
      // Few links are refused.
      const { loginRefusal } = await import("./login-refusals.ts");
      return { refusal: loginRefusal(verdict, use, advice) };
    },
    withdraw(owner) {
      codes.forget(owner);
      void devices.revokeOf(owner);
    },
  };
}

/** Login attempts per minute and address: enough for a person, and a code has 128 bits. */
const perMinute = 20;
const attempts = { many: "attempts to log in", again: "try" };

/** Counts an attempt to log in from an address, at all hubs of a cluster. Rejects with `RATE_LIMITED` if there were too many. */
export function loginAttempts(clock: Clock, shared: Pick<SharedState, "take"> | undefined): (address: string) => Promise<void> {
  const here = rateLimit(clock, perMinute, attempts);
  return async (address) => {
    here.take(address);
    const wait = (await shared?.take(`attempts:${address}`, perMinute, 60_000)) ?? 0;
    if (wait > 0) throw tooOften(perMinute, attempts, wait);
  };
}
