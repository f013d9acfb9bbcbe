import type { Ending, Runner, Running, RunRequest, RunResult } from "../../src/index.ts";

export interface Recorded {
  request: RunRequest;
  stopped: boolean;
  end(result?: Partial<RunResult>): void;
}

export interface RecordingRunner {
  run: Runner;
  /** What was started, in order. */
  started: Recorded[];
}

export type Reaction = Partial<RunResult> | "stays";

export const exited = (code: number): Ending => ({ kind: "exited", code });
export const missing: Ending = { kind: "unstartable", reason: "ENOENT" };

/** Records processes instead of running them. Each ends at once with exit code 0, unless `react` says otherwise. */
export function recordingRunner(react: (request: RunRequest) => Reaction | undefined = () => undefined): RecordingRunner {
  const started: Recorded[] = [];
  const run: Runner = (request): Running => {
    const reaction = react(request) ?? {};
    const ended = Promise.withResolvers<RunResult>();
    const end = (result: Partial<RunResult> = {}) => ended.resolve({ ending: exited(0), stdout: "", stderr: "", ...result });
    const recorded: Recorded = { request, stopped: false, end };
    started.push(recorded);
    if (reaction !== "stays") end(reaction);
    return {
      started: Promise.resolve(reaction === "stays" || reaction.ending?.kind !== "unstartable"),
      ended: ended.promise,
      stop() {
        recorded.stopped = true;
        end({ ending: { kind: "stopped" } });
      },
    };
  };
  return { run, started };
}
