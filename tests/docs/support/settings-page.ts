import { configJsonSchema, configSettings, settingVariables } from "@askbox/home";
import { type JsonSchema, rangeText, typeText } from "./type-text.ts";

/** A table of all settings of `config.json`, with the variable that sets each. */
export function settingsText(): string {
  const schema = configJsonSchema() as JsonSchema;
  const variables = Object.entries(settingVariables());
  const rows = configSettings().map((setting) => {
    const property = at(schema, setting.split("."));
    const variable = variables.find(([, set]) => set === setting)?.[0];
    return `| \`${setting}\`${variable === undefined ? "" : `<br>\`${variable}\``} | ${kind(setting, property)}${initial(property)} | ${property.description ?? ""} |`;
  });
  return ["| setting | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

function at(schema: JsonSchema, [name = "", ...rest]: readonly string[]): JsonSchema {
  const property = schema.properties?.[name] ?? {};
  return rest.length === 0 ? property : at(property, rest);
}

/** The pages with the settings of a list's entries. */
const pages: Readonly<Record<string, string>> = {
  jobs: "agents-elsewhere.md#ci",
  webhooks: "webhooks.md",
  attentionFor: "attention.md",
  wakeFor: "waking.md",
};

function kind(setting: string, property: JsonSchema): string {
  const isList = property.items?.properties !== undefined;
  const type = isList ? `a list, [see there](${pages[setting]})` : `\`${typeText(property, new Map()).replaceAll("|", "\\|")}\``;
  const range = rangeText(property);
  return range === "" ? type : `${type}, ${range}`;
}

const initial = ({ default: value }: JsonSchema) => (value === undefined ? "" : `<br>default \`${JSON.stringify(value)}\``);
