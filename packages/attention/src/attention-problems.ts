import type { ProblemsOptions } from "./modes/channel.ts";
import { type AttentionMode, modeOf } from "./modes/index.ts";

export interface AttentionProblemsOptions extends ProblemsOptions {
  mode: AttentionMode;
}

/** What keeps this mode from working here: a sentence for each problem, with how to fix it. Empty when nothing does. */
export async function attentionProblems({ mode, ...options }: AttentionProblemsOptions): Promise<string[]> {
  return modeOf(mode).problems(options);
}
