import manifest from "../package.json" with { type: "json" };

/** The MCP registry entry for askbox, written to `server.json` in the root. */
export const serverJson = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: manifest.mcpName,
  title: "askbox",
  description: "Put structured questions to a person mid-task and wait for the answer: one inbox for every agent.",
  version: manifest.version,
  packages: [
    {
      registryType: "npm",
      identifier: manifest.name,
      version: manifest.version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", valueHint: "command", value: "mcp" }],
      environmentVariables: [
        { name: "ASKBOX_HOME", description: "The folder for everything askbox keeps", format: "filepath" },
        {
          name: "ASKBOX_TIMEOUT",
          description: "Milliseconds a question waits when its call does not say, 10000 to 1800000",
          format: "number",
        },
        { name: "ASKBOX_HUB", description: "The address of a hub elsewhere" },
        { name: "ASKBOX_TOKEN", description: "The token for that hub", isSecret: true },
      ],
    },
  ],
};

export const serverJsonText = (): string => `${JSON.stringify(serverJson, undefined, 2)}\n`;
