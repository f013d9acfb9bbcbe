export type { CheckFiles, TakeImages } from "../broker/broker.ts";
export type { BlobKey, Blobs, StoredBlob } from "../ports/blobs.ts";
export { checkUpload, isBlobKey, isFileId, isUploadId, uploadGap, uploadOver } from "../ports/blobs.ts";
export type {
  Durability,
  InsertOptions,
  InsertResult,
  RemoveFilter,
  ReplaceOptions,
  StoreChange,
  StorePage,
  StoreQuery,
} from "../ports/store.ts";
export {
  type DenialKind,
  denialKinds,
  type EndingCounts,
  type EndingKind,
  endingKinds,
  type TallyBin,
  type TallyShare,
} from "../ports/store.ts";
export type { AskedImage, Image } from "../session/images.ts";
export { isUndelivered, isUnseenWithdrawal, readRecord, recordSchemaVersion } from "../session/record.ts";
export { searchText, searchWords } from "../session/search-text.ts";
export { type ChangeFeed, createChangeFeed } from "./change-feed.ts";
export { checkAgent, type KeptList, keptAgents, keptGrants, memoryAgents, memoryGrants, memoryList, oneAtATime } from "./kept-lists.ts";
export { type KeptRanOptions, keptRan } from "./kept-ran.ts";
export { type PagePosition, pageCursor, pageLimit, readCursor } from "./pages.ts";
export { isRemovable, removalTimes } from "./removal.ts";
export { blockSize, numbersIn, partOf, SearchBlockBuilder, searchGrams } from "./search-block.ts";
export { sharedMemory } from "./shared-memory.ts";
export { tallier } from "./tally.ts";
export { type TallyFact, tallyFact } from "./tally-fact.ts";
