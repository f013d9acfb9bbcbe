import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { discordChat } from "./support/discord-service.ts";

askingContract(discordChat);
peopleContract(discordChat);
