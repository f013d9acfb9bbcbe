export { askChecklist } from "./checklist/ask-checklist.ts";
export type { Checklist, PreviewLine } from "./checklist/run-checklist.ts";
export { runTui } from "./run-tui.ts";
export type { TuiSettings } from "./tui-options.ts";
