export { readForm } from "./exact-form.ts";
export { formOfQuestions, type QuestionsForm, type QuestionsFormOptions } from "./form-of-questions.ts";
export type { FormField, FormSchema } from "./form-schema.ts";
export { type FormQuestions, questionsOfForm } from "./questions-of-form.ts";
