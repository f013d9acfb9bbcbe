import { cut } from "@askbox/core/questions";
import fc from "fast-check";
import { commandIn } from "../../../packages/reach/chat/src/commands.ts";
import { eventOfInteraction, eventOfMessage, interactionSchema, messageSchema } from "../../../packages/reach/chat/src/discord/messages.ts";
import { inert } from "../../../packages/reach/chat/src/plain.ts";
import { type ChatEvent, eventSchema } from "../../../packages/reach/chat/src/port.ts";
import { codeIn } from "../../../packages/reach/chat/src/settings.ts";
import { envelopeSchema, interactionOf, moveIn as moveOfEnvelope, plainOf } from "../../../packages/reach/chat/src/slack/messages.ts";
import { eventOfUpdate, moveIn as moveOfUpdate, updateSchema } from "../../../packages/reach/chat/src/telegram/messages.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated, mutatedText } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

const file = { id: "F1", name: "a.png", size: 3, url_private_download: "https://files.slack.com/a.png" };
const message = { type: "message", channel: "D1", user: "U1", ts: "1.1", thread_ts: "1.0", text: "<@U1> &lt;", files: [file] };
const about = JSON.stringify({ action: "x.W0", chat: "D1", message: "1.0" });
const slack = [
  { type: "events_api", envelope_id: "e1", payload: { event: message } },
  {
    type: "events_api",
    envelope_id: "e3",
    payload: { event: { type: "channel_id_changed", old_channel_id: "C1", new_channel_id: "C2" } },
  },
  {
    type: "interactive",
    envelope_id: "e2",
    payload: {
      type: "block_actions",
      trigger_id: "t1",
      user: { id: "U1" },
      channel: { id: "D1" },
      message: { ts: "1.0", thread_ts: "0.9" },
      actions: [{ type: "button", action_id: "x.a0.1", action_ts: "2.0", value: "x.a0.1" }],
    },
  },
  {
    type: "interactive",
    envelope_id: "e3",
    payload: {
      type: "view_submission",
      user: { id: "U1" },
      view: { id: "V1", private_metadata: about, state: { values: { text: { text: { value: "Hello" } } } } },
    },
  },
];
const user = { id: "4711", username: "ada", global_name: "Ada" };
const attachment = { id: "7", filename: "a.png", size: 3, url: "https://cdn.discordapp.com/a.png" };
const discord = [
  {
    id: "1",
    channel_id: "2",
    guild_id: "3",
    author: user,
    content: "<@9> Hello",
    attachments: [attachment],
    message_reference: { message_id: "5" },
  },
  {
    id: "1",
    token: "aW50",
    type: 5,
    channel_id: "2",
    user,
    message: { id: "5" },
    data: { custom_id: "x.W0", components: [{ component: { value: "Hello" } }] },
  },
];
const from = { id: 4711, first_name: "Ada" };
const chat = { id: 4711, type: "private" };
const telegram = [
  { update_id: 1, callback_query: { id: "q1", from, message: { message_id: 5, chat }, data: "x.a0.1" } },
  {
    update_id: 2,
    message: {
      message_id: 6,
      chat,
      from,
      caption: "Hello",
      reply_to_message: { message_id: 5 },
      media_group_id: "g1",
      photo: [{ file_id: "F1", file_size: 3 }],
    },
  },
  {
    update_id: 3,
    message: {
      message_id: 7,
      chat: { id: -1002, type: "supergroup", title: "Team" },
      from,
      text: "Hello",
      message_thread_id: 7,
      is_topic_message: true,
      reply_to_message: { message_id: 7, forum_topic_created: { name: "Deploys" } },
    },
  },
  { update_id: 4, message: { message_id: 8, chat: { id: -12, type: "group" }, from, migrate_to_chat_id: -1002 } },
];
/** The id of a group is stored, too. */
function checkMove(move: { from: string; to: string } | undefined) {
  if (move !== undefined && [move.from, move.to].some((id) => id === "" || id.length > 100)) fault("A group moved to nowhere.");
}

/** What a chat service may send: whatever comes, it is no event, or one that can be stored; and a text stays within what was written. */
fuzz({
  name: "chats",
  input: fc.record({
    slack: mutated(slack),
    discord: mutated(discord),
    telegram: mutated(telegram),
    text: fc.oneof(oddText, mutatedText(["<@U1|ada> <https://a.example|b> &amp;lt;", "/start K7QF-2M9X", "message a_5f0c Hello"])),
  }),
  runs: 100,
  open: () => ({
    take(input) {
      const envelope = envelopeSchema.safeParse(read(input.slack)).data;
      check(envelope && interactionOf(envelope)?.event);
      checkMove(envelope && moveOfEnvelope(envelope));
      const written = messageSchema.safeParse(read(input.discord)).data;
      check(written && eventOfMessage(written));
      const pressed = interactionSchema.safeParse(read(input.discord)).data;
      check(pressed && eventOfInteraction(pressed));
      const update = updateSchema.safeParse(read(input.telegram)).data;
      check(update && eventOfUpdate(update));
      checkMove(update && moveOfUpdate(update));
      const text = writeOut(input.text);
      if (plainOf(text).length > text.length) fault("A text of Slack's got longer.");
      if (!text.toUpperCase().includes(codeIn(text)?.code.toUpperCase() ?? "")) fault("A code was made up.");
      const { words = "" } = commandIn(text, false) ?? {};
      if (!text.includes(words)) fault("A command's words were made up.");
      if (cut(inert(text), 100).length > 100) fault("A text was not cut.");
    },
  }),
});

function read(text: string): unknown {
  try {
    return JSON.parse(writeOut(text));
  } catch {
    return undefined;
  }
}

function check(event: ChatEvent | undefined): void {
  if (event === undefined) return;
  const stored = eventSchema.safeParse(JSON.parse(JSON.stringify(event)));
  if (!stored.success) fault(`An event can't be stored: ${stored.error.message}`);
}
