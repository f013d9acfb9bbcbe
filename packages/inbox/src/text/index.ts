export {
  actionLabels,
  actorPhrases,
  actorText,
  agentText,
  type Clean,
  deliverySentences,
  endingNames,
  headlineText,
  historyNames,
  outcomeSentences,
  outcomeText,
  outcomeTextOf,
  placeNames,
  placeText,
  presenceNames,
  projectText,
  threadNames,
} from "./english.ts";
export { kindNames } from "./kinds.ts";
export { ago, lengthNames, longDuration, roundedDuration, shortDuration, timeLeft, timeOfDay } from "./times.ts";
