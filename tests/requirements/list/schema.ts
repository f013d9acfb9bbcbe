import { dialectNames } from "@askbox/mcp";
import { expect } from "vitest";
import { contractInputSchema } from "../contract.ts";
import { define, type Harness, type ListedTool, type Requirement } from "../requirement.ts";

const tool = async (harness: Harness, name: string, settings?: Parameters<Harness["connect"]>[0]): Promise<ListedTool> => {
  const { agent } = await harness.connect(settings);
  const found = (await agent.listTools()).find((listed) => listed.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
};

export const schemaRequirements: readonly Requirement[] = [
  ...define({
    async "schema.keywords: tools/list has every keyword of the contract's schema in the contract's places, for a client that reads references"(
      harness,
    ) {
      const { inputSchema } = await tool(harness, "ask_user", { clientName: "claude-code" });
      expect(inputSchema).toMatchObject(contractInputSchema);
      expect(Object.keys(inputSchema)).not.toContain("$defs");
      expect(Object.keys(inputSchema)).not.toContain("$schema");
    },
    async "schema.inlined: tools/list has no references for any other client, and the same schema otherwise"(harness) {
      const { inputSchema } = await tool(harness, "ask_user");
      const { definitions, ...contract } = structuredClone<Record<string, unknown>>(contractInputSchema);
      const { QuestionInfo: items } = Object(definitions);
      Object(contract["properties"]).questions.items = items;
      expect(inputSchema).toMatchObject(contract);
      const { agent } = await harness.connect({ tools: dialectNames });
      const listed = await agent.listTools();
      expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining([...dialectNames]));
      expect(JSON.stringify(listed)).not.toMatch(/"(\$ref|\$defs|definitions)"/);
    },
    async "schema.options: an option is published as a string or an object with a label"(harness) {
      const { inputSchema } = await tool(harness, "ask_user", { clientName: "claude-code" });
      expect(inputSchema).toMatchObject({
        definitions: {
          QuestionInfo: {
            properties: {
              options: {
                items: {
                  anyOf: [
                    { type: "string" },
                    {
                      type: "object",
                      properties: {
                        label: { type: "string" },
                        value: { type: "string" },
                        description: { type: "string" },
                        recommended: { type: "boolean" },
                        preview: { type: "string" },
                      },
                      required: ["label"],
                    },
                  ],
                },
              },
              header: { type: "string" },
              allowOther: { type: "boolean", default: true },
            },
          },
        },
      });
    },
    async "schema.output: the output schema requires the four fields and describes askbox's own"(harness) {
      const { outputSchema } = await tool(harness, "ask_user");
      expect(outputSchema).toMatchObject({ type: "object", required: ["answered", "cancelled", "timedOut", "answers"] });
      expect(Object.keys(Object(outputSchema?.["properties"]))).toEqual(
        expect.arrayContaining(["sessionId", "pending", "reason", "comment", "answeredBy", "late", "seen", "earlier"]),
      );
    },
    async "schema.always-loaded: the tools are kept out of Claude Code's tool search and force no permission prompt"(harness) {
      for (const name of ["ask_user", "get_answer"]) {
        const { _meta, annotations } = await tool(harness, name);
        expect(_meta).toEqual({ "anthropic/alwaysLoad": true });
        expect(annotations).toMatchObject({ openWorldHint: true });
      }
    },
    // promise: ask-user-limits
    async "schema.alias: cn_ask_user is another name for ask_user"(harness) {
      const { agent } = await harness.connect({ tools: ["cn_ask_user"] });
      const tools = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["cn_ask_user", "get_answer", "get_files"]);
      expect(tools[0]).toEqual({ ...(await tool(harness, "ask_user")), name: "cn_ask_user" });
    },
    async "schema.get-answer-listed: get_answer is listed for every client, even without a limit, since it carries replies to a person's messages"(
      harness,
    ) {
      for (const clientName of ["claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "opencode", "some-client"]) {
        const { agent } = await harness.connect({ clientName });
        expect(
          (await agent.listTools()).map(({ name }) => name),
          clientName,
        ).toEqual(["ask_user", "get_answer", "get_files"]);
      }
    },
    async "schema.instructions: the server's instructions and the tool's description explain when and how to ask"(harness) {
      const { agent } = await harness.connect();
      expect(agent.instructions()).toContain("ask_user");
      expect((await agent.listTools())[0]?.description).toContain("timedOut");
    },
  }),
];
