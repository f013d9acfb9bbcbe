export type { Comment } from "../session/answer.ts";
export {
  anchored,
  commentList,
  commentOn,
  type DiffLine,
  type DiffPair,
  type DocumentLine,
  diffLines,
  diffPairs,
  documentLines,
  documentOf,
  endsOf,
  isDiff,
  type Place,
  placeText,
} from "./documents.ts";
export { changeOf, type DocumentFile, fileAt, filesOf, type IndexedLine, isRepeated } from "./files.ts";
