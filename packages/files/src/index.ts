export { folderBlobs } from "./folder-blobs.ts";
export { hubFiles } from "./hub-files.ts";
export { defaultFileLimits, type FileLimits } from "./limits.ts";
export { memoryBlobs } from "./memory-blobs.ts";
export { cleanName, fileType } from "./name-and-type.ts";
