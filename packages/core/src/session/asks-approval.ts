import type { AskRequest } from "./record.ts";

/** Whether one of the questions is an approval; without, grants don't matter. */
export const asksApproval = ({ questions }: AskRequest): boolean => questions.some((question) => "action" in question);
