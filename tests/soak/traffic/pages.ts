import { spend } from "../../support/until.ts";
import { type Actor, bearer } from "./target.ts";
import { unlessReset } from "./unless-reset.ts";

/** A browser that loads the inbox, programs that check the hub's health, and unauthorised ones. */
export const pageReader: Actor = async ({ url, deskToken, ended, count }, _name, chance) => {
  const page = await text(`${url}/`);
  const assets = [...page.matchAll(/(?:src|href)="(\/?[^":]+)"/g)].map(([, path]) => new URL(path ?? "", `${url}/`).href);
  const known = [`${url}/`, ...assets, `${url}/healthz?nonce=soak`, `${url}/readyz`, `${url}/openapi.json`];
  while (!ended.aborted) {
    await unlessReset(() => text(chance.pick(known)));
    if (chance.percent(20)) await unlessReset(() => text(`${url}/metrics`, { headers: bearer(deskToken) }));
    if (chance.percent(10)) await unlessReset(() => refused(`${url}/api/sessions`, 401));
    if (chance.percent(10)) await unlessReset(() => refused(`${url}/no-such-file.js`, 404));
    if (chance.percent(10)) await unlessReset(() => refused(`${url}/mcp`, 401, { method: "POST", body: "{", headers: bearer("wrong") }));
    count();
    await spend(chance.between(5, 60));
  }
};

async function text(address: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(address, init);
  const body = await response.text();
  if (!response.ok) throw new Error(`GET ${address}: ${response.status}`);
  return body;
}

async function refused(address: string, status: number, init: RequestInit = {}): Promise<void> {
  const response = await fetch(address, init);
  await response.text();
  if (response.status !== status) throw new Error(`${address} gave ${response.status} instead of ${status}.`);
}
