export { changeConfigAlone, configSettings, getConfigValue, type LoadedConfig, loadConfig, setConfigValue } from "./config/config.ts";
export { settingVariables } from "./config/environment.ts";
export { type Config, configJsonSchema } from "./config/schema.ts";
export { type ConnectHubOptions, connectHub } from "./connect/connect-hub.ts";
export { type FindHubOptions, type FoundHub, findHub } from "./connect/find-hub.ts";
export { checkHealth, healthProof, hubIdentity, olderHubError } from "./connect/health.ts";
export { downloadFile, type HubFileKey, type UploadedFile, uploadFile, uploadPicture } from "./connect/hub-files.ts";
export { probeHub } from "./connect/probe-hub.ts";
export { requestHub } from "./connect/request-hub.ts";
export { isOlder, untilGone } from "./connect/version-skew.ts";
export { gitBranch } from "./environment/git-branch.ts";
export { gitChanges, readOnlyGit, readOnlyGitEnv } from "./environment/git-changes.ts";
export { knownAgent } from "./environment/known-agent.ts";
export { knownConversation } from "./environment/known-conversation.ts";
export { leaveRemovedFolder, projectFolder, workingFolder } from "./environment/project.ts";
export { changeAlone, changeAloneNow } from "./files/change-alone.ts";
export { type HomeFiles, type HomeFolders, homeFiles, homeFolders, userHome } from "./files/folders.ts";
export {
  ensurePrivateFolder,
  isPrivate,
  makePrivate,
  readJsonFile,
  refuseForeign,
  refuseForeignDatabase,
  writePrivateFile,
} from "./files/private-file.ts";
export { type ProcessLock, takeLock } from "./files/process-lock.ts";
export {
  adoptDeskToken,
  ensureTokens,
  forgetWantedPort,
  type HubFile,
  readDeskFile,
  readHubFile,
  readLastHubFile,
  retireHubFile,
  writeHubFile,
} from "./files/runtime-files.ts";
export { createLogger, type Logger } from "./log/logger.ts";
