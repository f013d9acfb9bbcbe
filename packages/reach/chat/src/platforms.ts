import { discord } from "./discord/discord.ts";
import type { ChatPlatform } from "./port.ts";
import { slack } from "./slack/slack.ts";
import { telegram } from "./telegram/telegram.ts";

/** Every chat service, by the name that answers from it carry as their surface. */
const platforms = Object.freeze({ telegram, slack, discord });

export type PlatformName = keyof typeof platforms;
export const platformNames = Object.freeze(Object.keys(platforms)) as readonly PlatformName[];
export const platformOf = (name: PlatformName): ChatPlatform => platforms[name];
