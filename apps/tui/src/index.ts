export { askChecklist } from "./checklist/ask-checklist.ts";
export type { Checklist, Choice, PreviewLine } from "./checklist/checklist.ts";
export { runTui } from "./run-tui.ts";
export type { TuiConnection, TuiOptions, TuiSettings } from "./tui-options.ts";
