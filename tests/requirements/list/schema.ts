import { expect } from "vitest";
import { contractInputSchema } from "../contract.ts";
import type { Harness, ListedTool, Requirement } from "../requirement.ts";

const tool = async (harness: Harness, name: string, settings?: Parameters<Harness["connect"]>[0]): Promise<ListedTool> => {
  const { agent } = await harness.connect(settings);
  const found = (await agent.listTools()).find((listed) => listed.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
};

export const schemaRequirements: readonly Requirement[] = [
  {
    id: "schema.keywords",
    sentence: "tools/list has every keyword of the contract's schema in the contract's places",
    async run(harness) {
      const { inputSchema } = await tool(harness, "ask_user");
      expect(inputSchema).toMatchObject(contractInputSchema);
      expect(Object.keys(inputSchema)).not.toContain("$defs");
      expect(Object.keys(inputSchema)).not.toContain("$schema");
    },
  },
  {
    id: "schema.options",
    sentence: "an option is published as a string or an object with a label",
    async run(harness) {
      const { inputSchema } = await tool(harness, "ask_user");
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
  },
  {
    id: "schema.output",
    sentence: "the output schema requires the four fields and describes askbox's own",
    async run(harness) {
      const { outputSchema } = await tool(harness, "ask_user");
      expect(outputSchema).toMatchObject({ type: "object", required: ["answered", "cancelled", "timedOut", "answers"] });
      expect(Object.keys(Object(outputSchema?.["properties"]))).toEqual(
        expect.arrayContaining(["sessionId", "pending", "reason", "comment", "answeredBy", "late", "seen", "earlier"]),
      );
    },
  },
  {
    id: "schema.always-loaded",
    sentence: "the tools are kept out of Claude Code's tool search and force no permission prompt",
    async run(harness) {
      for (const name of ["ask_user", "get_answer"]) {
        const { _meta, annotations } = await tool(harness, name);
        expect(_meta).toEqual({ "anthropic/alwaysLoad": true });
        expect(annotations).toMatchObject({ openWorldHint: true });
      }
    },
  },
  // promise: ask-user-limits
  {
    id: "schema.alias",
    sentence: "cn_ask_user is another name for ask_user",
    async run(harness) {
      const { agent } = await harness.connect({ tools: ["cn_ask_user"] });
      const tools = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["cn_ask_user", "get_answer"]);
      expect(tools[0]).toEqual({ ...(await tool(harness, "ask_user")), name: "cn_ask_user" });
    },
  },
  {
    id: "schema.get-answer-listed",
    sentence: "get_answer is listed for every client, even without a limit, since it carries replies to a person's messages",
    async run(harness) {
      for (const clientName of ["claude-code", "codex-mcp-client", "gemini-cli-mcp-client", "opencode", "some-client"]) {
        const { agent } = await harness.connect({ clientName });
        expect(
          (await agent.listTools()).map(({ name }) => name),
          clientName,
        ).toEqual(["ask_user", "get_answer"]);
      }
    },
  },
  {
    id: "schema.instructions",
    sentence: "the server's instructions and the tool's description explain when and how to ask",
    async run(harness) {
      const { agent } = await harness.connect();
      expect(agent.instructions()).toContain("ask_user");
      expect((await agent.listTools())[0]?.description).toContain("timedOut");
    },
  },
];
