import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("askbox.js", import.meta.url));

/** askbox as a plugin of OpenCode: its server, with time for a person to answer. An entry in the person's own settings has precedence. */
export default {
  id: "askbox",
  server: async () => ({
    config: async (config) => {
      const askbox = { type: "local", command: ["node", program, "mcp"], enabled: true, timeout: 1_800_000 };
      config.mcp = { askbox, ...config.mcp };
    },
  }),
};
