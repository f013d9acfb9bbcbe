/** What few sessions need of the broker; loaded when one does, so that a program that embeds it stays small. */

export { tallyByList } from "../stores/tally.ts";
export { answerByForm, attachedFiles, takeImages, withAttached } from "./attached.ts";
export { listConversations, sendMessage } from "./conversation-list.ts";
export { keepGrants, noteRan, refuseGrant, withBoundGrants, withGrants } from "./granting.ts";
export { newsOf } from "./news.ts";
export { usualPhrases } from "./phrases.ts";
export { copyFiles, settleReplaced } from "./replacing.ts";
export { addMessage, addReport, useOverruled } from "./thread.ts";
export { beginWaking, outlookOf } from "./waking.ts";
