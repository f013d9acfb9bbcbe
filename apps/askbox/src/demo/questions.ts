import type { AskInput } from "@askbox/core";

/** One question of each type in the contract. */
export const demoQuestions: AskInput = {
  title: "A new settings page",
  questions: [
    { id: "name", question: "What should the component be called?", type: "text", placeholder: "SettingsPage" },
    {
      id: "style",
      question: "Which styling approach?",
      type: "select",
      options: [{ label: "Tailwind", description: "What the other pages use" }, { label: "CSS Modules" }, { label: "Plain CSS" }],
    },
    {
      id: "features",
      question: "Which features should it have?",
      type: "multi-select",
      options: ["Search", "Dark mode", "Import and export"],
    },
    { id: "replace", question: "May I delete the old page?", type: "confirm" },
  ],
};

/** Answers to copy and edit. */
export const demoAnswers = [
  "--set name=SettingsPage",
  "--set style=Tailwind",
  "--set features=Search",
  "--set features='Dark mode'",
  "--set replace=no",
].join(" ");
