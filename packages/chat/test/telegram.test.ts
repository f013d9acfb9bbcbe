import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { telegramChat } from "./support/telegram-service.ts";

askingContract(telegramChat);
peopleContract(telegramChat);
