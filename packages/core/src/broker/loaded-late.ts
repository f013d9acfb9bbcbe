/** What few sessions need of the broker; loaded when one does, so that a program that embeds it stays small. */
export { refuseGrant, withBoundGrants } from "../grants/bound.ts";
export { tallyByList } from "../stores/tally.ts";
export { sendMessage } from "./agent-message.ts";
export { attachedFiles, withAttached } from "./comments.ts";
export { listConversations } from "./conversation-list.ts";
export { answerByForm } from "./form-answer.ts";
export { keepGrants, withGrants } from "./granting.ts";
export { takeImages } from "./images.ts";
export { usualPhrases } from "./phrases.ts";
export { copyFiles, settleReplaced } from "./replacing.ts";
export { addMessage, addReport } from "./thread.ts";
