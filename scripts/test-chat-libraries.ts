import { installNewest } from "./install-newest.ts";
import { runTool } from "./run.ts";

/**
 * `pnpm test:chat-libraries`: installs the chat services' usual libraries from npm, and checks with them the stand-ins of the services that
 * the tests of `packages/reach/chat` run against. Nothing is sent to a real service.
 */
const libraries = ["grammy", "@slack/web-api", "@slack/socket-mode", "@discordjs/rest", "@discordjs/ws"];

const { exitCode } = await runTool("vitest", "vitest", ["run", "--config", "packages/reach/chat/test/libraries/vitest.config.ts"], {
  output: "show",
  env: { ASKBOX_CHAT_LIBRARIES: installNewest("chat-libraries", libraries) },
});
process.exitCode = exitCode;
