import type { AskRequest } from "./record.ts";

/** Whether one of the questions asks for a permission; without, grants don't matter. */
export const asksPermission = ({ questions }: AskRequest): boolean => questions.some((question) => "action" in question);
