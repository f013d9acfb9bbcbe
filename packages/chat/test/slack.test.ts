import { askingContract } from "./contract/asking.ts";
import { peopleContract } from "./contract/people-and-faults.ts";
import { slackChat } from "./support/slack-service.ts";

askingContract(slackChat);
peopleContract(slackChat);
