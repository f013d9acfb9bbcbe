/**
 * Limits of the `ask_user` contract and of an asker's description of itself; anything above is rejected. Lengths count UTF-16 code units,
 * as JSON Schema tools in JavaScript do.
 */
export const limits = Object.freeze({
  questions: { min: 1, max: 10 },
  questionLength: { min: 1, max: 1_000 },
  /** For a question with everything shown as part of it, if another contract than `ask_user` sets no limit. */
  longQuestion: 20_000,
  titleLength: { max: 100 },
  /** The maximum number of options: more than a person can look through. */
  options: { max: 1_000 },
  /**
   * For a question's other texts and those of its options, by field. An id is a key of drafts and answers, a preview is a file or a diff,
   * which the request size limits first; the rest may be as long as the longest question, since other tools' contracts set no limit there.
   */
  fieldLength: {
    id: 200,
    header: 20_000,
    placeholder: 20_000,
    unit: 1_000,
    minLabel: 1_000,
    maxLabel: 1_000,
    suggestion: 20_000,
    label: 20_000,
    value: 20_000,
    description: 20_000,
    preview: 1_048_576,
    min: 400,
    max: 400,
  },
  /** For the fields that describe the asker. */
  asker: {
    clientName: 200,
    clientVersion: 100,
    project: 4_096,
    branch: 500,
    repository: 500,
    agentId: 200,
    machine: 60,
    tool: 100,
    conversation: 500,
    instance: 100,
  },
  /** For what an agent was doing, in characters; `steps` is their number. */
  background: { said: 2_000, step: 300, steps: 12, changes: 2_000 },
  /** For an ask's key and idempotency key. */
  key: { max: 200 },
  /** A person's message to the agent, and the agent's reply, in characters; `rounds` is the maximum number of each per session. */
  askBack: { min: 1, max: 4_000 },
  replyBack: { min: 1, max: 10_000 },
  rounds: 20,
  /** Milliseconds. */
  timeout: { min: 10_000, max: 1_800_000, default: 300_000 },
});
