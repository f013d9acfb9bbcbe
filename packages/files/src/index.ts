export { cleanName } from "./file-name.ts";
export { extensionOf, fileType, headBytes, isPicture } from "./file-type.ts";
export { type FolderBlobsOptions, folderBlobs } from "./folder-blobs.ts";
export { type HubFiles, type HubFilesOptions, hubFiles } from "./hub-files.ts";
export { defaultFileLimits, type FileLimits } from "./limits.ts";
export { type MemoryBlobsOptions, memoryBlobs } from "./memory-blobs.ts";
export type { ShownPicture } from "./picture/picture.ts";
export type { Uploaded } from "./uploads.ts";
