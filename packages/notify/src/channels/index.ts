import { browser } from "./browser.ts";
import type { Mode } from "./channel.ts";
import { command } from "./command.ts";
import { none } from "./none.ts";
import { notify } from "./notify.ts";
import { terminal } from "./terminal.ts";

const modes = { browser, notify, terminal, command, none } satisfies Record<string, Mode>;

/** The ways to notify a person, by name. */
export type AttentionMode = keyof typeof modes;
export const attentionModes = Object.freeze(Object.keys(modes)) as readonly AttentionMode[];

export const modeOf = (name: AttentionMode): Mode => modes[name];
/** Whether this mode notifies anybody. */
export const callsPeople = (name: AttentionMode): boolean => modeOf(name).open !== undefined;
