import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { heldTools } from "@askbox/approvals";
import { wakeWays } from "@askbox/clients/wake";
import type { Broker, Clock, Log, SessionStore } from "@askbox/core";
import type { Config } from "@askbox/home";
import { ruleFor } from "@askbox/notify";
import { BackgroundRuns, clientEnvironment } from "./background.ts";
import { Waking } from "./waking.ts";

export interface StartWakingOptions {
  store: SessionStore;
  broker: Broker;
  clock: Clock;
  log: Log;
  config: Pick<Config, "wake" | "wakeFor">;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** Where what resumed agents print is kept. */
  folder: string;
}

/** Characters of a client's output. */
const maxBuffer = 4_194_304;

/** Wakes the agents of this machine. It follows the store once it is started. */
export function startWaking({ store, broker, clock, log, config, env, version, folder }: StartWakingOptions): Waking {
  const environment = clientEnvironment(env);
  const runs = new BackgroundRuns({ folder, env: environment, log, clock });
  return new Waking({
    store,
    broker,
    clock,
    log,
    ways: wakeWays,
    owner: "local",
    heldTools: Object.values(heldTools),
    levelFor: (session) => ruleFor(config.wakeFor, session)?.wake ?? config.wake,
    words: async (session) => (await import("@askbox/mcp")).wakeWords(session),
    outputOf: (id) => runs.output(id),
    runAway: (command, { session, cwd }) => runs.run(command, { name: session.id, cwd }),
    machine: {
      env: environment,
      version,
      async run([program = "", ...args], timeout) {
        const { stdout } = await promisify(execFile)(program, args, { timeout, maxBuffer, env: environment, windowsHide: true });
        return stdout;
      },
    },
  });
}
