export { cleanName } from "./file-name.ts";
export { fileType } from "./file-type.ts";
export { folderBlobs } from "./folder-blobs.ts";
export { hubFiles } from "./hub-files.ts";
export { defaultFileLimits, type FileLimits } from "./limits.ts";
export { memoryBlobs } from "./memory-blobs.ts";
