import { loadLogin, mac } from "./stored-login.ts";

/** A text for the hub that proves this browser's login: see `SignedText` in `@askbox/hub`. */
interface Signed {
  id: string;
  origin: string;
  at: number;
  text: string;
  mac: string;
}

/** Signs a text with the key of this browser's login; undefined if there is none. `at`: the time, in ms since the epoch. */
export async function signed(text: string, at: number): Promise<Signed | undefined> {
  const login = await loadLogin();
  if (login === undefined) return undefined;
  const { id, hub, key } = login;
  const { origin } = location;
  return { id, origin, at, text, mac: await mac(key, JSON.stringify(["askbox login: request", hub, origin, id, at, text])) };
}
