import { test } from "vitest";
import { abuseContract } from "./contract/abuse.ts";
import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { placesContract } from "./contract/places.ts";
import { discordChat } from "./support/discord-service.ts";
import { inTeam, scene } from "./support/scene.ts";

abuseContract(discordChat);
askingContract(discordChat);
peopleContract(discordChat);
placesContract(discordChat);

test("a message in a thread that Discord has archived still says how its question ended", async () => {
  const { posted, service, desk, shows } = await scene(discordChat, { settings: inTeam });
  const { id, message } = await posted(undefined, service.team.chat);
  service.archiveTeam?.();
  await desk.cancel(id);
  await shows(message, "Declined by Grace");
});
