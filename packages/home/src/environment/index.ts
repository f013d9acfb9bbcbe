/** What a program can know of its surroundings before it needs a hub: without zod, so that it costs a start next to nothing. */

export { type FolderOptions, type HomeFiles, type HomeFolders, homeFiles, homeFolders } from "../files/folders.ts";
export { gitBranch } from "./git-branch.ts";
export { knownAgent } from "./known-agent.ts";
export { knownConversation } from "./known-conversation.ts";
