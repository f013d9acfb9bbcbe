import { type Browser, type BrowserServer, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { browserOptions } from "../web/support/browser.ts";

/** The address is passed to the test files' processes, which start after this one. */
const variable = "ASKBOX_TEST_BROWSER";

/** Milliseconds for the start, including the first one on a machine. */
const timeout = 300_000;

const usedBy = ["tests/web/", "tests/examples/browser-only"];

let server: BrowserServer | undefined;

/** Starts one browser for all test files that open pages. */
export async function setup({ vitest }: TestProject): Promise<void> {
  if (!vitest.state.getPaths().some((path) => usedBy.some((part) => path.includes(part)))) return;
  // A run that ends on a signal closes it.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  server = await chromium.launchServer({ ...browserOptions(), ...signals, host: "127.0.0.1", timeout });
  process.env[variable] = server.wsEndpoint();
}

export async function teardown(): Promise<void> {
  await server?.close();
}

/** Connects to the run's browser. Closing it closes the contexts made by this connection. */
export function connectBrowser(): Promise<Browser> {
  const endpoint = process.env[variable];
  if (endpoint === undefined) throw new Error("The browser is started by the set-up of the tests that use it; see tests/setup/browser.ts.");
  return chromium.connect(endpoint);
}
