import { limits } from "@askbox/core";

/** The maximum size of a request, less what surrounds its texts. */
const requestBytes = 262_144 - 8_192;
/** Fillers that were slow before: wide characters before spaces, opening brackets of links, control characters. */
const fillers = [" ", "[x](", "\u009d", "x"];

/** A text of this length, or as long as the remaining room allows. */
function filled(filler: string, length: number, room = Number.POSITIVE_INFINITY): string {
  const bytes = Buffer.byteLength(filler) / filler.length;
  return `é${filler.repeat(length)}`.slice(0, Math.min(length, Math.floor(room / bytes)));
}

export interface BigAsk {
  title: string;
  timeout: number;
  key: string;
  agentId: string;
  project: string;
  questions: object[];
}

/** Asks in which every field has its maximum length, as far as a request has room, with each filler. */
export function bigAsks(): BigAsk[] {
  const { fieldLength: most, asker, key, options, questionLength, questions, titleLength } = limits;
  return fillers.flatMap((filler, number) => {
    const text = (length: number, share = 1) => filled(filler, length, requestBytes / share);
    const question = text(questionLength.max);
    const option = { label: text(most.label, 9), description: text(most.description, 9), preview: text(30_000, 9) };
    const kinds: object[][] = [
      Array.from({ length: questions.max }, (_, index) => ({ id: `${index}`, question, header: text(most.header, 12) })),
      [{ question, options: Array.from({ length: options.max }, (_, index) => `${index} ${text(200, 1_100)}`) }],
      [{ question, header: text(most.header, 9), options: [option, { ...option, label: `${option.label.slice(1)}.` }] }],
      [
        {
          question,
          type: "text",
          placeholder: text(most.placeholder, 4),
          suggestion: text(most.suggestion, 4),
          header: text(most.header, 4),
        },
      ],
      [{ question, type: "rating", max: 5, minLabel: text(most.minLabel), maxLabel: text(most.maxLabel) }],
      [{ question, options: [{ label: "A", preview: text(most.preview, 1.1) }, { label: "B" }] }],
    ];
    return kinds.map((asked, kind) => ({
      title: text(titleLength.max),
      timeout: limits.timeout.max,
      key: `${number}.${kind} ${text(key.max - 10)}`,
      agentId: `${number} ${text(asker.agentId - 10)}`,
      project: `/${text(asker.project - 10)}`,
      questions: asked,
    }));
  });
}
