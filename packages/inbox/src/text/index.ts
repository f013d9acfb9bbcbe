export {
  actionLabels,
  actorPhrases,
  actorText,
  agentText,
  type Clean,
  deliverySentences,
  endingNames,
  endingText,
  headlineText,
  historyNames,
  outcomeSentences,
  outcomeText,
  outcomeTextOf,
  placeNames,
  placeText,
  presenceNames,
  projectText,
  sentenceOf,
  sentText,
  threadNames,
} from "./english.ts";
export { kindNames, signNames } from "./kinds.ts";
export { ago, lengthNames, longDuration, roundedDuration, shortDuration, timeLeft, timeOfDay } from "./times.ts";
