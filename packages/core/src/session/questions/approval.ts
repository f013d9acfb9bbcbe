import { defined } from "../../objects.ts";
import { quote } from "../../texts.ts";
import { maxActionBytes, utf8Length } from "./action.ts";
import { grantDurations, grantOption, grantScopes, readGrantValue } from "./grant-value.ts";
import { type AskedType, baseOf, isBlank, isSkipped, mustBeAnswered, problem, QuestionRefusal } from "./question-type.ts";

/** The denial comes first: that is where a list's cursor starts. A plan that isn't approved is not over: the agent goes on planning. */
const offers: AskedType<"approval">["offers"] = ({ action, grants = [], agentOptions = [], denial }) => {
  const [deny, allow] = denial
    ? ["Agree", "Overrule"]
    : action.kind === "plan"
      ? ["Keep planning", "Approve plan"]
      : ["Deny", "Allow once"];
  return [
    { value: "deny", label: deny, shortcut: "no" },
    { value: "allow", label: allow, shortcut: "allow" },
    ...grants,
    // The agent chose these words, so they never stand alone.
    ...agentOptions.map((each) => ({ ...each, label: `The agent’s own option: ${each.label}` })),
  ];
};

/**
 * A decision on one action: `allow` for this time only, a grant's value, or `deny`, with a reason as `customText`. Nothing is ever
 * preselected, and only a person, or a person's grant, can allow it. With a `denial`, `allow` overrules the model that denied it and `deny`
 * agrees with it; no grant ever decides that, and the arguments are not changed.
 */
export const approval = {
  type: "approval",
  picks: "decision",
  singleUse: true,
  aliases: ["permission"],
  widget: () => "approval",
  metavar: () => "allow or deny",
  parse({ action, grants = [], editable, agentOptions, denial, ...rest }, id) {
    // Valid text has been parsed before.
    if (typeof action === "string") throw new QuestionRefusal("has an action that is not valid JSON, or that uses a name twice");
    const { tool, command, path, diff, text, input = {}, inputJson } = action;
    const isEmpty = Object.keys(input).length === 0 && inputJson === undefined;
    // The name of a tool without arguments says everything that will happen.
    if (isEmpty && [tool, command, path, diff, text].every((part) => part === undefined || isBlank(part))) {
      throw new QuestionRefusal("has an action that shows nothing; give its tool, command, path, diff, text or input");
    }
    if (utf8Length(JSON.stringify(action)) > maxActionBytes) {
      throw new QuestionRefusal(`has an action of more than ${maxActionBytes} bytes; let the client's own prompt decide`);
    }
    const named = typeof grants === "string" ? grants.split(",") : grants;
    const wanted = new Set(named.map((grant) => (typeof grant === "string" ? grant : grant.value).trim()));
    const stranger = [...wanted].find((value) => !grantScopes.some((scope) => scope === value));
    if (stranger !== undefined) throw new QuestionRefusal(`offers the grant ${quote(stranger)}; there are ${grantScopes.join(" and ")}`);
    const offered = grantScopes.filter((scope) => wanted.has(scope)).map((scope) => pick(grantOption(scope)));
    return {
      // It must not be skippable, since a skip could be mistaken for a decision.
      ...baseOf({ ...rest, required: true }, id),
      type: "approval",
      action,
      // Surfaces edit arguments as values, which would change those that only their text holds.
      ...(denial === undefined
        ? defined({
            grants: offered.length === 0 ? undefined : offered,
            editable: inputJson === undefined ? editable : undefined,
            agentOptions,
          })
        : { denial }),
    };
  },
  check(question, answer) {
    if (isSkipped(answer)) return mustBeAnswered();
    const [value, ...more] = answer.values;
    if (value === undefined || more.length > 0) return problem("shape", "Answer allow, one of the grants, or deny.");
    if (answer.customText !== undefined && value !== "deny") return problem("shape", "Only a denial has a reason.");
    if (answer.customText !== undefined && isBlank(answer.customText)) return problem("blank_other", "The reason is blank.");
    if (answer.input !== undefined) {
      if (value === "deny") return problem("shape", "A denial has no arguments.");
      if (question.editable !== true) return problem("shape", "The arguments of this action cannot be changed.");
      if (value !== "allow") return problem("shape", "Changed arguments can only be allowed once.");
      if (utf8Length(JSON.stringify(answer.input)) > maxActionBytes)
        return problem("too_long", "The arguments are too long.", maxActionBytes);
    }
    if (value === "allow" || value === "deny") return undefined;
    if (question.agentOptions?.some((option) => option.value === value)) return undefined;
    const [scope, time] = value.split(":");
    if (question.grants?.some((grant) => grant.value === scope) !== true) {
      return problem("not_an_option", `${quote(value)} is not one of the options.`);
    }
    if (readGrantValue(value) !== undefined) return undefined;
    const days = grantDurations.max / 86_400_000;
    return problem("shape", `${quote(time ?? "")} is not a time from 1m to ${days}d, such as 30m, 8h or 7d.`);
  },
  text: (question, answer) => {
    const [value] = answer.values;
    if (value === undefined) return "";
    const [scope, time, ...words] = value.split(":");
    const option = offers(question).find((each) => each.value === value || each.value === scope);
    const label = option?.label ?? value;
    if (option?.value === value && time !== undefined) return label;
    if (value === "deny") return answer.customText === undefined ? label : `${label}: ${answer.customText}`;
    const prefix = words.length === 0 ? "" : `, any command that begins with ${words.join(":")}`;
    return `${label}${time === undefined ? "" : ` for ${time}`}${prefix}${answer.input === undefined ? "" : ", with changed arguments"}`;
  },
  expects: () => "allow or deny",
  offers,
} satisfies AskedType<"approval">;

const pick = ({ value, label, description }: { value: string; label: string; description?: string | undefined }) => ({
  value,
  label,
  ...defined({ description }),
});
