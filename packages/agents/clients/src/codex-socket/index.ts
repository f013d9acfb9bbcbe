export { type AppServerChannel, openSocket } from "./app-server.ts";
export { type CodexDecision, type CodexDenial, type CodexInbox, type CodexRequest, followCodex } from "./follow-codex.ts";
export { codexSocket, ownSocket, type ThreadFolderOptions, threadFolder } from "./thread-folder.ts";
