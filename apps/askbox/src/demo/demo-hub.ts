import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AskboxError } from "@askbox/core";
import { runHub } from "@askbox/hub-process";
import { webFolder } from "../web-folder.ts";

export interface DemoHub {
  url: string;
  /** The demo's own `ASKBOX_HOME`. */
  home: string;
  /** The environment in which this hub is found. */
  env: Readonly<Record<string, string | undefined>>;
  /** Stops it and deletes its home. */
  close(): Promise<void>;
}

/** Runs a hub in this process with its own home, so that the user's real inbox is not touched. */
export async function startDemoHub(outer: Readonly<Record<string, string | undefined>>, hubVersion: string): Promise<DemoHub> {
  const home = await mkdtemp(join(tmpdir(), "askbox-demo-"));
  const { ASKBOX_HUB: _hub, ASKBOX_TOKEN: _token, ASKBOX_STORE: _store, ASKBOX_PORT: _port, ...rest } = outer;
  // The user who runs a demo is already present.
  const env = { ...rest, ASKBOX_HOME: home, ASKBOX_ATTENTION: "none" };
  const stop = new AbortController();
  const ready = Promise.withResolvers<string>();
  let complaint = "";
  const ended = runHub({
    // The demo's data is not worth keeping.
    flags: { store: "memory" },
    env,
    foreground: true,
    isDemo: true,
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
