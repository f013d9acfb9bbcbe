import { expect, test } from "vitest";
import { abuseContract } from "./contract/abuse.ts";
import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { scene } from "./support/scene.ts";
import { telegramChat } from "./support/telegram-service.ts";

abuseContract(telegramChat);
askingContract(telegramChat);
peopleContract(telegramChat);

test("a button of a message that was shared by way of another bot is refused", async () => {
  const { posted, service, told, status } = await scene(telegramChat);
  const { id, message } = await posted();
  service.forge({ chat: message.chat, message: "", id: message.buttons[0]?.id ?? "", from: service.ada });
  await told("This button belongs to another message.");
  expect(await status(id)).toBe("pending");
});
