export { allowsCommented, equalApprovals, grantTimes, unsentIn } from "../form/sending.ts";
export { readPlace } from "./place.ts";
export { grantCommand, listRan, type RanItem, type RanList } from "./ran.ts";
export { isDenial, type Urgency, urgencyOf, urgentFrom, waitingIn } from "./selectors.ts";
export { type SnoozeChoice, snoozeChoices } from "./snooze-choices.ts";
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
  type SessionSign,
  signOf,
  snoozedUntil,
} from "./triage.ts";
