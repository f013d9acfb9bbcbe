import type { ProblemsOptions } from "./channels/channel.ts";
import { type AttentionMode, modeOf } from "./channels/index.ts";

export interface AttentionProblemsOptions extends ProblemsOptions {
  mode: AttentionMode;
}

/** Why this mode does not work here: one sentence per problem, with how to fix it. Empty if it works. */
export async function attentionProblems({ mode, ...options }: AttentionProblemsOptions): Promise<string[]> {
  return modeOf(mode).problems(options);
}
