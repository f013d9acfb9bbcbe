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
export { reminderLead, type SnoozeChoice, snoozeChoices, snoozedUntil } from "./snooze.ts";
export { unsentIn } from "./unsent.ts";
