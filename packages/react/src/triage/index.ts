export { allowsCommented } from "./commented.ts";
export { equalApprovals } from "./equal-approvals.ts";
export { grantTimes } from "./grant-times.ts";
export {
  besideSimilar,
  type Grouping,
  groupings,
  groupOf,
  groupSessions,
  isIn,
  kindOf,
  type Narrowing,
  type SessionGroup,
  type SessionKind,
} from "./groups.ts";
export { askedFrom, type CommandText, matchingCommands, otherItems, type PaletteItem, placeAfter, questionItems } from "./palette.ts";
export { snoozedUntil } from "./snooze.ts";
export { type SnoozeChoice, snoozeChoices } from "./snooze-choices.ts";
export { unsentIn } from "./unsent.ts";
