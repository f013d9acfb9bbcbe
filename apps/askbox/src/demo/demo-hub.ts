import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AskboxError } from "@askbox/core";
import { runHub } from "@askbox/hub-process";
import { webFolder } from "../web-folder.ts";

export interface DemoHub {
  url: string;
  /** `ASKBOX_HOME` of the demo alone. */
  home: string;
  /** The environment of those who are to find this hub. */
  env: Readonly<Record<string, string | undefined>>;
  /** Stops it and removes its home. */
  close(): Promise<void>;
}

/** Runs a hub in this process, with a home of its own, so that the person's own inbox is left alone. */
export async function startDemoHub(outer: Readonly<Record<string, string | undefined>>, hubVersion: string): Promise<DemoHub> {
  const home = await mkdtemp(join(tmpdir(), "askbox-demo-"));
  const { ASKBOX_HUB: _hub, ASKBOX_TOKEN: _token, ASKBOX_STORE: _store, ASKBOX_PORT: _port, ...rest } = outer;
  // The person who runs a demo is already present.
  const env = { ...rest, ASKBOX_HOME: home, ASKBOX_ATTENTION: "none" };
  const stop = new AbortController();
  const ready = Promise.withResolvers<string>();
  let complaint = "";
  const ended = runHub({
    // Nothing of a demo is worth keeping.
    flags: { store: "memory" },
    env,
    foreground: true,
    hubVersion,
    web: webFolder(),
    signal: stop.signal,
    stdout: { write: () => {} },
    stderr: { write: (text) => (complaint = text) },
    onReady: ({ url }) => ready.resolve(url),
  });
  const failed = ended.then(() => {
    throw new AskboxError("HUB_UNREACHABLE", `The demo's hub did not start. ${complaint.trim()}`);
  });
  failed.catch(() => {});
  const close = async () => {
    stop.abort();
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  try {
    return { url: await Promise.race([ready.promise, failed]), home, env, close };
  } catch (error) {
    await close();
    throw error;
  }
}
