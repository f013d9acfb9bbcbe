export type { Comment } from "../session/answer.ts";
export { anchored, commentList, commentOn, documentOf, endsOf, placeText } from "./comments.ts";
export { type DiffLine, type DiffPair, diffLines, diffPairs } from "./diff-lines.ts";
export { type DocumentLine, documentLines, isDiff, type Place } from "./document-lines.ts";
