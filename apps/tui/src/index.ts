export { runTui } from "./run-tui.ts";
export type { TuiConnection, TuiOptions, TuiSettings } from "./tui-options.ts";
