export {
  changeConfigAlone,
  configSettings,
  getConfigValue,
  type LoadedConfig,
  loadConfig,
  setConfigValue,
  settingVariables,
} from "./config/config.ts";
export { type Config, configJsonSchema } from "./config/schema.ts";
export { type ConnectHubOptions, connectHub } from "./connect/connect-hub.ts";
export { type FindHubOptions, type FoundHub, findHub, firstWay, readAddress } from "./connect/find-hub.ts";
export { checkHealth, healthProof, hubIdentity, isOlder, olderHubError, untilGone } from "./connect/health.ts";
export { addressOf, httpText, probeHub } from "./connect/probe-hub.ts";
export { downloadFile, type HubFileKey, requestHub, type UploadedFile, uploadFile, uploadPicture } from "./connect/request-hub.ts";
export {
  gitBranch,
  gitChanges,
  gitPlace,
  gitRepository,
  knownAgent,
  knownConversation,
  leaveRemovedFolder,
  projectFolder,
  readOnlyGit,
  readOnlyGitEnv,
  workingFolder,
} from "./environment.ts";
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
export { changeAlone, changeAloneNow, type ProcessLock, takeLock } from "./files/process-lock.ts";
export {
  adoptDeskToken,
  ensureTokens,
  forgetWantedPort,
  type HubFile,
  type JoinedHub,
  noteReached,
  noteUnreached,
  readDeskFile,
  readHubFile,
  readJoinedFile,
  readLastHubFile,
  removeJoinedFile,
  retireHubFile,
  writeHubFile,
  writeJoinedFile,
} from "./files/runtime-files.ts";
export { createLogger, type Logger } from "./log.ts";
