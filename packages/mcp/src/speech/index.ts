import type { DialectName } from "../dialects/index.ts";
import { askHumanSpeech } from "./ask-human.ts";
import { askUserSpeech } from "./ask-user.ts";
import { askUserQuestionsSpeech } from "./ask-user-questions.ts";
import type { Speech } from "./speech.ts";

const speeches: Readonly<Record<DialectName, Speech>> = Object.freeze({
  ask_user: askUserSpeech,
  cn_ask_user: askUserSpeech,
  ask_user_questions: askUserQuestionsSpeech,
  ask_human: askHumanSpeech,
});

export const speechOf = (name: DialectName): Speech => speeches[name];
