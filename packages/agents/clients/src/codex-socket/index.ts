export { type AppServerChannel, openSocket } from "./app-server.ts";
export { type CodexDecision, type CodexInbox, type CodexRequest, followCodex } from "./follow-codex.ts";
export { codexSocket, ownSocket, type ThreadFolderOptions, threadFolder } from "./thread-folder.ts";
