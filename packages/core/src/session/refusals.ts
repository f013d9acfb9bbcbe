/** The contract's own messages for what it rejects (`ask_user` API, "Common Validation Errors"). */
export const refusals = Object.freeze({
  noQuestions: "questions array must have at least 1 item",
  tooManyQuestions: "questions array exceeds maximum of 10",
  optionsRequired: "Options required for select/multi-select types",
  questionRequired: "question text is required",
});
