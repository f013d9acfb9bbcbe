/** What a program can find out about its environment without a hub: without zod, so that it hardly delays the start. */

export { type FolderOptions, type HomeFiles, type HomeFolders, homeFiles, homeFolders } from "../files/folders.ts";
export { gitBranch } from "./git-branch.ts";
export { gitChanges } from "./git-changes.ts";
export { knownAgent } from "./known-agent.ts";
export { knownConversation } from "./known-conversation.ts";
export { leaveRemovedFolder, projectFolder, workingFolder } from "./project.ts";
