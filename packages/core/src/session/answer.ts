import * as z from "zod";
import { maxFiles } from "./questions/constants.ts";

/** A file with an answer; its bytes are stored beside the session. The hub sets type and size, and cleans the name. */
const answerFileSchema = z.object({
  name: z.string(),
  /** By its first bytes, never by its name. */
  mimeType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Of its content, in hex; its id within the session. */
  sha256: z.string(),
  caption: z.string().optional(),
  /** Where the agent finds it, if it was written there; never stored. */
  path: z.string().optional(),
});
/** A file that a person attached to an answer. */
export type AnswerFile = z.infer<typeof answerFileSchema>;
/** At most 20. */
export const filesSchema = z.array(answerFileSchema).max(maxFiles).optional();

/** A comment on lines of a question's document: of the old or new file of a diff, or of the document itself if it has no side. */
const commentSchema = z.object({
  path: z.string().optional(),
  side: z.enum(["old", "new"]).optional(),
  /** From 1. */
  line: z.int().min(1),
  /** The last line, for several. */
  endLine: z.int().min(1).optional(),
  /** The text of the lines, up to 2,000 characters; it must match, and the hub adds it if it is missing. */
  quote: z.string().optional(),
  text: z.string().min(1).max(10_000),
});
/** A comment on lines of a document. */
export type Comment = z.infer<typeof commentSchema>;
/** At most 200. */
export const commentsSchema = z.array(commentSchema).max(200).optional();

/**
 * A person's answer to one question, in the format of the `ask_user` contract plus a `note`. `values` is empty if the question was skipped,
 * or if there is only `customText` (Other).
 */
export const answerSchema = z.object({
  questionId: z.string(),
  values: z.array(z.string()),
  customText: z.string().optional(),
  note: z.string().optional(),
  /** The arguments with which an action is allowed, if they were changed. */
  input: z.record(z.string(), z.unknown()).optional(),
  files: filesSchema,
  comments: commentsSchema,
});
/** The answer to one question: chosen `values`, `customText` in the person's own words, or both. */
export type Answer = z.infer<typeof answerSchema>;

/** What a surface sends to answer a session. */
export const answerSetSchema = /* @__PURE__ */ (() =>
  z.object({
    answers: z.array(answerSchema),
    comment: z.string().optional(),
    /** With the comment, or in its place. */
    files: filesSchema,
  }))();
/** A person's answers to the questions of one session, with an optional comment and its files. */
export type AnswerSet = z.infer<typeof answerSetSchema>;

/** What a person says about all questions, without what is missing. */
export const wordsOf = ({
  comment,
  files,
}: { [Part in "comment" | "files"]?: AnswerSet[Part] | null }): Pick<AnswerSet, "comment" | "files"> => ({
  ...(typeof comment === "string" && { comment }),
  ...(files?.length && { files }),
});
