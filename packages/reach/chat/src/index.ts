export { type PlatformName, platformNames, platformOf } from "./platforms.ts";
export { sendChatTests } from "./send-tests.ts";
export {
  type ChatSettings,
  changeDesk,
  codeLifetime,
  createCode,
  type DeskSettings,
  hashOfCode,
  type Pairing,
  readChatSettings,
} from "./settings.ts";
export { type Chat, type ChatOptions, type ChatStatus, startChat } from "./start-chat.ts";
