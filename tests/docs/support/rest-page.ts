import { errorCodes, type MendedBy } from "@askbox/core";
import type { OpenApi, OpenApiOperation } from "./hub-description.ts";
import { linkedType, shapeNames } from "./shapes.ts";
import { propertyTexts, rangeText } from "./type-text.ts";

/** A section for each operation of the REST interface. */
export function operationsText({ paths }: OpenApi): string {
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => section(method.toUpperCase(), path, operation)),
  );
  return sections.join("\n\n");
}

function section(method: string, path: string, { summary, security, parameters, requestBody, responses }: OpenApiOperation): string {
  const scopes = security.flatMap((alternative) => Object.keys(alternative));
  const [status = "200", response] = Object.entries(responses).find(([name]) => name !== "default") ?? [];
  const [[kind = "", { schema: answer } = {}] = []] = Object.entries(response?.content ?? {});
  const query = parameters.filter((parameter) => parameter.in === "query");
  const body = requestBody?.content["application/json"]?.schema;
  const isStream = kind === "text/event-stream";
  return [
    `### ${summary.split(/[,:]/)[0]}`,
    `\`${method} ${path}\``,
    ...(/[,:]/.test(summary) ? [`${summary}.`] : []),
    [
      `- **scope** ${scopes.map((scope) => `\`${scope}\``).join(" or ")}`,
      ...query.map(
        ({ name, schema }) =>
          `- **query** \`${propertyTexts({ properties: { [name]: schema } }, shapeNames)[0]}\`${noteOf(rangeText(schema))}`,
      ),
      ...(body === undefined || isEmpty(body) ? [] : [`- **body** ${linkedType(body)}`]),
      `- **answer** \`${status}\`${answer === undefined ? "" : ` ${isStream ? "server-sent events, each with " : ""}${linkedType(answer)}`}`,
    ].join("\n"),
  ].join("\n\n");
}

const isEmpty = (schema: { properties?: object }) => schema.properties !== undefined && Object.keys(schema.properties).length === 0;
const noteOf = (range: string) => (range === "" ? "" : `, ${range}`);

const menders: Record<MendedBy, string> = {
  caller: "the caller",
  person: "the person who answers",
  operator: "the person who runs the hub",
  askbox: "a bug: its log says more",
};

/** A table of the error codes. */
export function problemsText(): string {
  const rows = Object.entries(errorCodes).map(([code, { fixedBy }]) => `| \`${code}\` | ${menders[fixedBy]} |`);
  return ["| code | fixed by |", "|---|---|", ...rows].join("\n");
}
