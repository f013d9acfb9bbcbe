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

test("a file sent as the message to the agent goes with it, and none with a comment", async () => {
  const { posted, service, until, fill, desk, told } = await scene(telegramChat);
  const { id, message } = await posted();
  const files = [{ name: "a.txt", bytes: Buffer.from("A") }];
  service.press(message, "More…");
  await until(() => message.buttons.some(({ label }) => label === "Ask back"));
  service.press(message, "Ask back");
  await fill("", files);
  const thread = await until(async () => (await desk.get(id)).thread);
  expect(thread).toMatchObject([{ text: "", files: [{ name: "a.txt", mimeType: "text/plain", size: 1 }], by: { name: "Ada" } }]);
  service.press(message, "Comment");
  await fill("See", files);
  await told("A file goes with an answer: reply to the question with it.");
});
