export { runTui, type TuiConnection, type TuiOptions, type TuiSettings } from "./run-tui.ts";
