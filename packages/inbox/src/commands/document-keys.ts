import { actionsOf } from "./keys.ts";

/**
 * The keys of a document while it has the focus, which come before all others: a review is read for minutes, and its keys are those that its
 * readers know. No other key changes its meaning there.
 */
export const documentActions = actionsOf({
  lineDown: { keys: ["j"], place: "document", words: "Next line" },
  lineUp: { keys: ["k"], place: "document", words: "Previous line" },
  extend: { keys: ["J", "shift+j", "shift+down"], place: "document", words: "Mark one more line" },
  reduce: { keys: ["K", "shift+k", "shift+up"], place: "document", words: "Mark one line less" },
  remark: { keys: ["c", "enter"], place: "document", words: "Comment on the marked lines, or change the comment" },
  nextStop: { keys: ["n"], place: "document", words: "Next comment or file" },
  previousStop: { keys: ["p"], place: "document", words: "Previous comment or file" },
  viewed: { keys: ["v"], place: "document", words: "Mark the file as viewed, and go on to the next" },
});

/** An action of a document. */
export type DocumentKeyAction = keyof typeof documentActions;
