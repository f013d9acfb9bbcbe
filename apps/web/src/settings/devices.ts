/** What the settings page lists from the hub: logged-in browsers, and grants. */
import { type Grants, isAskboxError } from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import type { WireClient, WireDevice } from "@askbox/wire";
import { createContext, useContext } from "react";
import { basePath } from "../base-path.ts";
import { forgetLogin } from "../boot/stored-login.ts";

/** A logged-in browser. Times are wall time in ms since the epoch. */
export type Device = WireDevice;

/** The logged-in browsers. Each method throws the hub's error, whose message can be shown. */
export interface Devices {
  list(): Promise<Device[]>;
  /** Ends a device's login. */
  revoke(id: string): Promise<void>;
  /** Logs this browser out, and deletes its login. Undefined if the page uses a session of the program around the hub. */
  logOut?: () => Promise<void>;
}

export function devicesOf({ devices: remote }: WireClient, hasLogin: boolean): Devices {
  return {
    list: () => remote.list(),
    revoke: async (id) => void (await remote.revoke(id)),
    ...(hasLogin && { logOut }),
  };

  async function logOut() {
    const own = (await remote.list()).find(({ current }) => current);
    if (own === undefined) return;
    await fetch(`${basePath}/auth/cookie`, { method: "DELETE" }).catch(() => {});
    try {
      await remote.revoke(own.id);
    } catch (error) {
      // The connection ends with the login, perhaps before the response.
      if (!isAskboxError(error, "UNAUTHORIZED")) throw error;
    }
    await forgetLogin(own.id);
  }
}

const DevicesContext = createContext<Devices | undefined>(undefined);
export const DevicesProvider = DevicesContext.Provider;

export function useDevices(): Devices {
  const devices = useContext(DevicesContext);
  if (devices === undefined) throw new Error("There is no DevicesProvider around this component.");
  return devices;
}

/** The grants that people have given, and what ran without asking, as far as the page needs them. */
export type PageGrants = Pick<Grants, "list" | "remove"> & { ran: RanLog["list"] };

const GrantsContext = createContext<PageGrants | undefined>(undefined);
export const GrantsProvider = GrantsContext.Provider;

export function useGrants(): PageGrants {
  const grants = useContext(GrantsContext);
  if (grants === undefined) throw new Error("There is no GrantsProvider around this component.");
  return grants;
}
