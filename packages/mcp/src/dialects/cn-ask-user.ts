import { askUserAs } from "./ask-user.ts";

/** `ask_user` by its other name. Gemini CLI, headless, drops every MCP tool that has the name of its own `ask_user`. */
export const cnAskUser = askUserAs("cn_ask_user");
