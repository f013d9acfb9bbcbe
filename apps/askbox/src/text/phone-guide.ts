import { encode } from "uqr";
import type { LoginLinks } from "../login-link.ts";

/*
 * `askbox open --phone` and `--qr`: whether a phone can reach the hub and what is missing, and the QR code of a login link. An address that
 * doesn't answer is reported, not hidden: the code would lead nowhere.
 */

/** Milliseconds to reach the hub at its address for other machines. */
const timeout = 5_000;
/** The documentation's page about phones. */
const page = "https://github.com/askbox/askbox/blob/main/docs/push.md";

/** One line each: what works, and what is missing. `link`: what a phone opens; undefined if it can't reach the hub. */
export async function phoneReport({ outside }: LoginLinks): Promise<{ link: string | undefined; lines: string[] }> {
  const link = outside.find((each) => each.startsWith("https:")) ?? outside[0];
  if (link === undefined) return { link, lines: ["missing  An address that a phone can reach: the hub listens on this machine only."] };
  const { origin, protocol } = new URL(link);
  const isSecure = protocol === "https:";
  const trouble = await troubleAt(origin);
  return {
    link,
    lines: [
      `ok       An address for other machines: ${origin}`,
      trouble === undefined
        ? `ok       The hub answers there${isSecure ? ", with a certificate that this machine trusts" : ""}.`
        : `check    From this machine, the hub doesn't answer there (${trouble}). Your phone needs to reach it, and to trust its certificate.`,
      isSecure
        ? "ok       HTTPS: the phone can get push notifications, and answer from them."
        : "missing  HTTPS: the phone shows the page, but gets no push notifications. Use a tunnel, or --tls-cert and --tls-key.",
    ],
  };
}

/** Why the hub can't be reached there; undefined if it can. */
async function troubleAt(origin: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL("/healthz", origin), { redirect: "manual", signal: AbortSignal.timeout(timeout) });
    await response.body?.cancel();
    return response.ok ? undefined : `HTTP ${response.status}`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return name === "TimeoutError" ? `no answer in ${timeout / 1_000} s` : (cause?.code ?? name);
  }
}

/** What to do on the phone. */
export const phoneSteps = [
  "On the phone:",
  "  1. Scan the code.",
  "  2. On an iPhone or iPad: Share, Add to Home Screen, and open it from there;",
  "     iOS pushes only to an installed page.",
  "  3. In the page, open Settings and turn on Push to this device.",
  "  4. Run `askbox doctor --send` here, and press the button on the phone.",
].join("\n");

export const phoneAlternatives = [
  "ntfy needs neither an address of yours nor HTTPS, nor an installed page.",
  "Nor does a chat: `askbox chat telegram`, or slack or discord, sets one up.",
  page,
].join("\n");

/** Scanners need a quiet zone of 4 modules around the code. */
const quiet = 4;

/** A QR code of a text, with two modules per character. With colours it is dark on light whatever the terminal's theme. */
export function qrCode(text: string, { colors }: { colors: boolean }): string {
  const { data } = encode(text, { ecc: "M", border: quiet });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const [upper = [], lower = []] = [data[row], data[row + 1]];
    // Without colours, assumes a terminal with light text on a dark background, and draws the light modules.
    const line = upper.map((dark, column) => block(dark === colors, (lower[column] ?? false) === colors)).join("");
    lines.push(colors ? `\u001b[30;107m${line}\u001b[0m` : line);
  }
  return `${lines.join("\n")}\n`;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
