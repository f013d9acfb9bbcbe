import { defined } from "../../objects.ts";
import { bytesText, quote } from "../../texts.ts";
import type { AnswerFile } from "../answer.ts";
import { maxFiles } from "./constants.ts";
import { type AnswerProblem, type AskedType, baseOf, counted, mustBeAnswered, problem, QuestionRefusal } from "./question-type.ts";
import type { QuestionOf } from "./schemas.ts";

type FileQuestion = QuestionOf<"file">;

/** Files, which are attached; their names are the answer's values. */
export const file = {
  type: "file",
  attached: true,
  aliases: ["files", "attachment", "upload"],
  widget: () => "files",
  metavar: () => "PATH",
  parse({ accept, maxFiles, maxBytes, ...rest }, id) {
    const types = [accept ?? []]
      .flat()
      .join()
      .toLowerCase()
      .split(/[\s,]+/);
    const accepted = types.filter((one) => one !== "" && one !== "*/*");
    const wrong = accepted.find((one) => one.length > 120 || !/^[a-z]+\/[a-z0-9*.+-]+$/.test(one));
    if (wrong !== undefined) throw new QuestionRefusal(`has ${quote(wrong)} in accept; use media types such as "image/*"`);
    return { ...baseOf(rest, id), type: "file", ...defined({ accept: accepted.length > 0 ? accepted : undefined, maxFiles, maxBytes }) };
  },
  // A name can't be given without its file.
  tidy: (_question, answer) => ({ ...answer, values: (answer.files ?? []).map(({ name }) => name) }),
  check(question, { files = [], customText }) {
    if (customText !== undefined) return problem("shape", "Attach files; a text can be the note.");
    if (files.length === 0) return question.required ? mustBeAnswered() : undefined;
    const most = question.maxFiles ?? maxFiles;
    if (files.length > most) return problem("too_many_files", `Attach at most ${counted(most, "file")}; there are ${files.length}.`, most);
    return files.map((one) => checkFile(question, one)).find((wrong) => wrong !== undefined);
  },
  text: () => "",
  expects({ accept = [], maxFiles: most = maxFiles, maxBytes }) {
    const kinds = accept.length === 0 ? "" : ` (${accept.join(", ")})`;
    const size = maxBytes === undefined ? "" : ` of at most ${bytesText(maxBytes)}${most === 1 ? "" : " each"}`;
    return `${most === 1 ? "a file" : `up to ${most} files`}${kinds}${size}`;
  },
} satisfies AskedType<"file">;

function checkFile({ accept, maxBytes }: FileQuestion, { name, mimeType, size }: AnswerFile): AnswerProblem | undefined {
  if (accept?.every((wanted) => !fits(mimeType, wanted)))
    return problem("not_accepted", `${quote(name)} is of type ${mimeType}; ${accept.join(", ")} is accepted.`, accept.join(", "));
  if (maxBytes === undefined || size <= maxBytes) return undefined;
  const most = bytesText(maxBytes);
  return problem("file_too_large", `${quote(name)} has ${bytesText(size)}; at most ${most} are accepted.`, most);
}

/** The type is known by the first bytes: of text, not which; of a zip file, not which kind of document it is. */
function fits(type: string, wanted: string): boolean {
  if (wanted === type || (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1)))) return true;
  if (type === "text/plain") return /^(text\/|application\/(.*\+)?(json|xml|yaml|toml|javascript)$)/.test(wanted);
  return type === "application/zip" && /^application\/(vnd\.|epub)/.test(wanted);
}
