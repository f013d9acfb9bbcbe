import { standardPlatform } from "@askbox/core";
import type * as z from "zod";
import { type Environment, isRemote, isWsl, processRunner } from "../run.ts";
import { browser } from "./browser.ts";
import type { LocalChannel, ProblemsOptions } from "./channel.ts";
import { command } from "./command.ts";
import { notify } from "./notify.ts";
import { ntfy } from "./ntfy.ts";
import { terminal } from "./terminal.ts";
import { webhook } from "./webhook.ts";

const none: LocalChannel = { problems: () => [] };

/** Every channel. */
const localChannels = { browser, notify, terminal, command, none } satisfies Record<string, LocalChannel>;
export const remoteChannels = Object.freeze({ webhook, ntfy });
/** The settings of all remote channels; an entry of the config may only use those of its own. */
export const remoteFields = together(webhook.fields, ntfy.fields);

/** Both; a field of two channels, which would shadow each other, doesn't compile. */
function together<One extends z.ZodRawShape, Other extends z.ZodRawShape & { [name in keyof One]?: never }>(one: One, other: Other) {
  return { ...one, ...other };
}

/** The local channels, by name. */
export type AttentionMode = keyof typeof localChannels;
export const attentionModes = Object.freeze(Object.keys(localChannels)) as readonly AttentionMode[];
/** The remote channels, by name. */
export type WebhookKindName = keyof typeof remoteChannels;
export const webhookKindNames = Object.freeze(Object.keys(remoteChannels)) as readonly WebhookKindName[];
export const defaultWebhookKind: WebhookKindName = "webhook";

export const localChannel = (mode: AttentionMode): LocalChannel => localChannels[mode];

type OwnProblems = Omit<ProblemsOptions, "run"> & { mode: AttentionMode; run?: ProblemsOptions["run"] };

/** Why this mode does not work here: one sentence per problem, with how to fix it. Empty if it works. `run`: real processes by default. */
export async function attentionProblems({ mode, ...options }: OwnProblems): Promise<string[]> {
  return localChannel(mode).problems({ run: processRunner(standardPlatform(globalThis).clock, options.platform), ...options });
}

/** Whether this mode notifies anybody. */
export const notifiesAnyone = (mode: AttentionMode): boolean => localChannel(mode).open !== undefined;

/** The default mode: `browser` on a desktop, `none` without a display or over SSH. */
export function defaultAttention({ env, platform }: { env: Environment; platform: NodeJS.Platform }): AttentionMode {
  if (isRemote(env)) return "none";
  const isDesktop = platform === "darwin" || platform === "win32" || isWsl(env, platform);
  return isDesktop || env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "browser" : "none";
}
