import { abuseContract } from "./contract/abuse.ts";
import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { placesContract } from "./contract/places.ts";
import { discordChat } from "./support/discord-service.ts";

abuseContract(discordChat);
askingContract(discordChat);
peopleContract(discordChat);
placesContract(discordChat);
