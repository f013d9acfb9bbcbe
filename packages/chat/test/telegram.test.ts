import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { telegramService } from "./support/telegram-service.ts";

askingContract("Telegram", telegramService);
peopleContract("Telegram", telegramService);
