/** The kinds of actions, which determine how they are shown. */
export const actionKinds = ["command", "edit", "fetch", "tool", "plan", "other"] as const;

/** How a reviewing model's denial came about; `unavailable`: its check gave no verdict. */
export const denialStatuses = ["denied", "unavailable", "timed_out", "aborted"] as const;
/** What an action may do besides running, as far as it says so: the gravest first. */
export const reaches = ["deletes", "network", "writes"] as const;

/** What lets an action run without asking a person: a model that judges it, a rule or mode of its client, or a person's grant. */
export const letByKinds = ["model", "rule", "grant"] as const;

/** The formats of a text; the JSON Schema names are `email`, `uri` and `date-time`. */
export const textFormats = ["email", "url", "date-time"] as const;
/** The required format of an answer's text. */
export type TextFormat = (typeof textFormats)[number];

/** The number of steps that a scale may have: each has a key, with `0` for the tenth. */
export const ratingSteps = { min: 2, max: 10, default: 5 } as const;

/** The most files of an answer. */
export const maxFiles = 20;
