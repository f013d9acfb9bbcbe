import { actionsOf, sharedActions } from "./keys.ts";

/** The keys of the terminal. A character has the same meaning as in the browser, or none there. */
export const terminalActions = actionsOf({
  ...sharedActions,
  confirm: { ...sharedActions.confirm, words: "Continue, and finally send; it picks nothing" },
  select: { keys: ["x"], place: "list", words: "Select the question, to decline or snooze several" },
  order: { keys: [], place: "list", words: "Order: soonest deadline or newest" },
  grants: { keys: ["b"], place: "list", words: "Grants: what agents may do without asking" },
  revoke: { keys: ["delete", "backspace"], place: "list", words: "Revoke the selected grant; remove the selected file" },
  arrange: { keys: ["f"], place: "list", words: "Order, group, or show only one agent, kind, project or outcome" },
  quit: { keys: ["q"], place: "list", words: "Quit; drafts are kept" },
  newline: { keys: ["ctrl+j", "alt+enter", "shift+enter"], place: "text", words: "New line" },
  editor: { keys: ["ctrl+g"], place: "text", words: "Edit the text, or an action's arguments, in $VISUAL or $EDITOR" },
  review: { keys: ["ctrl+s"], place: "set", words: "Review, then send" },
  wake: { keys: ["W", "shift+w"], place: "set", words: "Wake an agent that has gone, with the answer" },
  copy: { keys: ["w", "alt+w"], place: "set", words: "Copy the question, or what was not sent" },
  palette: { keys: [":", "alt+:", "ctrl+k"], place: "everywhere", words: "Palette: find a question, view, agent or command" },
  pageUp: { keys: ["pageup", "ctrl+b"], place: "everywhere", words: "Scroll up" },
  pageDown: { keys: ["pagedown", "ctrl+f"], place: "everywhere", words: "Scroll down" },
  first: { ...sharedActions.first, place: "everywhere" },
  last: { ...sharedActions.last, place: "everywhere" },
  suspend: { keys: ["ctrl+z"], place: "everywhere", words: "Suspend" },
  redraw: { keys: ["ctrl+l"], place: "everywhere", words: "Redraw the screen" },
  leave: { keys: ["ctrl+c"], place: "everywhere", words: "Quit at once; drafts are kept" },
});
