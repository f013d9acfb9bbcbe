/** The tool's input schema in the `ask_user` API specification, version 1.0, without its descriptions. */
export const contractInputSchema = {
  type: "object",
  properties: {
    questions: { type: "array", items: { $ref: "#/definitions/QuestionInfo" }, minItems: 1, maxItems: 10 },
    title: { type: "string", maxLength: 100 },
    timeout: { type: "integer", minimum: 10_000, maximum: 1_800_000, default: 300_000 },
  },
  required: ["questions"],
  definitions: {
    QuestionInfo: {
      type: "object",
      properties: {
        id: { type: "string" },
        question: { type: "string" },
        // The specification's default is text; with options a question is a select, as the published schema describes.
        type: { type: "string", enum: ["text", "select", "multi-select", "confirm"] },
        options: { type: "array" },
        required: { type: "boolean", default: true },
        placeholder: { type: "string" },
      },
      required: ["question"],
    },
  },
} as const;

interface Example {
  title: string;
  input: {
    questions: { id?: string; question: string; type: string; options?: string[]; placeholder?: string }[];
    title?: string;
    timeout?: number;
  };
  /** The values of each answer, in the order of the questions. */
  values: string[][];
}

/** Examples 1 to 4 of the specification; the third with both of its outputs. */
export const answeredExamples: readonly Example[] = [
  {
    title: "1, simple text question",
    input: {
      questions: [{ question: "What would you like to name this function?", type: "text", placeholder: "e.g., processUserData" }],
    },
    values: [["handleUserSubmission"]],
  },
  {
    title: "2, single selection",
    input: {
      questions: [{ question: "Which framework would you prefer?", type: "select", options: ["React", "Vue", "Svelte", "Solid"] }],
      title: "Framework Selection",
    },
    values: [["Solid"]],
  },
  {
    title: "3, confirmation confirmed",
    input: { questions: [{ question: "This will delete 15 files. Are you sure?", type: "confirm" }], title: "Confirm Deletion" },
    values: [["yes"]],
  },
  {
    title: "3, confirmation declined",
    input: { questions: [{ question: "This will delete 15 files. Are you sure?", type: "confirm" }], title: "Confirm Deletion" },
    values: [["no"]],
  },
  {
    title: "4, multiple questions",
    input: {
      questions: [
        { id: "name", question: "What should the component be called?", type: "text" },
        {
          id: "style",
          question: "Which styling approach?",
          type: "select",
          options: ["CSS Modules", "Styled Components", "Tailwind", "Plain CSS"],
        },
        {
          id: "features",
          question: "Which features should be included?",
          type: "multi-select",
          options: ["Loading state", "Error handling", "Animation", "Accessibility"],
        },
      ],
      title: "Component Configuration",
    },
    values: [["UserProfileCard"], ["Tailwind"], ["Loading state", "Error handling", "Accessibility"]],
  },
];

/** Example 5's input. */
export const cancelledExample = { questions: [{ question: "Any additional requirements?" }] };
/** Example 6's input. */
export const timeoutExample = { questions: [{ question: "Please confirm within 30 seconds", type: "confirm" }], timeout: 30_000 };

/** The form of the specification's generated question ids. */
export const generatedId = /^q_[a-z0-9]{6}$/;
