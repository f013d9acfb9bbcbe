import { setTimeout as pause } from "node:timers/promises";
import {
  type ChatSettings,
  changeDesk,
  codeLifetime,
  createCode,
  type DeskSettings,
  hashOfCode,
  type Pairing,
  type PlatformName,
  platformNames,
  platformOf,
  readChatSettings,
} from "@askbox/chat";
import { AskboxError, standardPlatform } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { oneOf, usageError } from "../usage.ts";

/** How often the file is looked at for what the hub has done, in ms. */
const lookEvery = 250;

interface PairOptions {
  person?: string;
  group?: boolean;
  allow?: boolean;
  after?: number;
  inbox?: string;
  api?: string;
}

export const command: DefineCommand = (run) => {
  const chat = commandWith("chat", `Answer in a chat: ${platformNames.map((name) => platformOf(name).title).join(", ")}`, [
    ["askbox chat telegram", "asks for your bot's token, and shows a code that you send to the bot"],
    ["askbox chat telegram < token.txt", "the token from a file; it is never an argument"],
    ["askbox chat telegram --person Grace", "one more person, who sends the code"],
    ["askbox chat telegram --group", "a group, in which the code is sent"],
    ["askbox chat list", "who may answer where"],
    ["askbox chat remove telegram Grace", "takes effect at once"],
  ]).usage(`${platformNames.join(" | ")} | list | remove <chat> [person]`);
  for (const name of platformNames) chat.addCommand(pairCommand(name, run));
  return chat
    .addCommand(
      commandWith("list", "List chats, and who may answer there", [["askbox chat list", "tokens are not shown"]])
        .option("--json", "print a JSON array")
        .action(run(list)),
    )
    .addCommand(
      commandWith("remove", "Remove a chat, or one person or group from it", [
        ["askbox chat remove telegram", "with its token"],
        ["askbox chat remove telegram Grace", "a person or a group, by name"],
      ])
        .argument("<chat>", "its name", oneOf("chat", platformNames))
        .argument("[who]", "a person or a group; default: everything")
        .action(run(remove)),
    );
};

function pairCommand(name: PlatformName, run: Parameters<DefineCommand>[0]) {
  const { title } = platformOf(name);
  return commandWith(name, `Answer in ${title}`, [
    [`askbox chat ${name}`, "pairs you with your bot"],
    [`askbox chat ${name} --allow`, "actions can be allowed once from your chat, too"],
    [`askbox chat ${name} --inbox https://askbox.example`, "messages have a link to the inbox"],
  ])
    .option("--person <name>", "who sends the code, as answers name them; default: the name of their account")
    .option("--group", "questions come to the group in which the code is sent; its sender may answer there")
    .option("--allow", "an action can be allowed once from there; denying it always can")
    .option("--after <seconds>", "how long a question has to be seen in an inbox before it is posted; default: 20", (text) => {
      const seconds = Number(text);
      if (!(seconds >= 0 && seconds <= 86_400)) throw usageError("--after takes seconds from 0 to 86400.");
      return seconds;
    })
    .option("--inbox <url>", "the URL under which people reach the inbox from there")
    .option("--api <url>", "where the service is, if it isn't the usual place")
    .action(run((context: CommandContext, options: PairOptions) => pair(context, name, options)));
}

async function chatFile(context: CommandContext): Promise<string> {
  const { homeFiles, homeFolders } = await import("@askbox/home");
  return homeFiles(homeFolders({ env: context.io.env })).chat;
}

async function pair(context: CommandContext, name: PlatformName, options: PairOptions): Promise<ExitCode> {
  await peopleOnly(context, "add chats that answer");
  const { io } = context;
  const file = await chatFile(context);
  for (const url of [options.inbox, options.api])
    if (url !== undefined && !/^https?:\/\//.test(url)) throw usageError("--inbox and --api take an http or https URL.");
  const present = readChatSettings(file)[name];
  const fresh = present ?? (await newDesk(context, name, options.api));
  const code = createCode();
  const { person, group = false, allow = false, after, inbox, api } = options;
  const pairing = { hash: hashOfCode(code), until: context.now() + codeLifetime, ...(person && { person }), group, allow, wrong: 0 };
  // The token may have taken a while to enter, in which others changed the chat.
  const desk = await changeDesk(file, name, (stored) => {
    const known = stored ?? (present === undefined ? fresh : undefined);
    if (known === undefined) return undefined;
    return {
      ...known,
      pairing,
      ...(after !== undefined && { after }),
      ...(inbox !== undefined && { inbox }),
      ...(api !== undefined && { api }),
    };
  });
  if (desk === undefined) throw removed();
  // The hub reads the bot's messages; a second reader would be refused.
  await context.desk();
  const platform = platformOf(name);
  const where = platform.reach(desk.bot, group).map((line) => terminalLine(line));
  await io.stderr.write(`Within 10 minutes, ${where.join("\n")}, and send ${group ? "this there" : "it this code"}:\n`);
  await io.stdout.write(`${group ? platform.groupCode(code, desk.bot) : code}\n`);
  const paired = await settled(context, file, name, pairing);
  const place = paired.places.at(-1);
  const who = paired.people.at(-1)?.name ?? "";
  const there = place?.title === undefined ? platform.title : `${place.title} in ${platform.title}`;
  const allowing =
    place?.members.at(-1)?.allow === true
      ? "Actions can be allowed once from there."
      : "Actions can be denied from there, but not allowed; --allow changes that.";
  await io.stdout.write(`${terminalLine(`${who} can answer in ${there} now.`)} ${allowing}\n`);
  return exitCodes.done;
}

/** Asks for what the bot needs, and tries it. */
async function newDesk({ io }: CommandContext, name: PlatformName, api: string | undefined): Promise<DeskSettings> {
  const platform = platformOf(name);
  const isPiped = io.askSecretly === undefined;
  const lines = isPiped ? await secretLines(io.stdin.text({ lines: platform.secrets.length })) : undefined;
  // keys: the names of a platform's secrets.
  const secrets: Record<string, string> = {};
  for (const [index, secret] of platform.secrets.entries()) {
    const entered = (lines === undefined ? await io.askSecretly?.(`${secret.ask}: `) : lines[index])?.trim() ?? "";
    if (entered === "") throw usageError(`${secret.ask} is missing; enter it, or give it on standard input.`);
    if (!secret.form.test(entered))
      throw usageError(`This is not ${secret.ask.charAt(0).toLowerCase()}${secret.ask.slice(1)}; copy it again.`);
    secrets[secret.name] = entered;
  }
  const { clock } = standardPlatform(globalThis);
  const bot = await platform.identify({ secrets, api: api ?? platform.api, clock, fetch: globalThis.fetch });
  return { secrets, bot, ...(api !== undefined && { api }), after: 20, people: [], places: [] };
}

const secretLines = async (text: Promise<string>) => (await text).split(/\r?\n/).filter((line) => line.trim() !== "");

/** Waits until the hub has taken the code. Throws `CONFLICT` with why it was refused, and `ABORTED` at the end of its time. */
async function settled(context: CommandContext, file: string, name: PlatformName, { hash, until }: Pairing): Promise<DeskSettings> {
  // Another command may have begun to add somebody else.
  const end = () => changeDesk(file, name, (desk) => (desk?.pairing?.hash === hash ? withoutPairing(desk) : desk));
  let isInterrupted = false;
  const release = context.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    while (context.now() < until && !isInterrupted) {
      const desk = readChatSettings(file)[name];
      if (desk === undefined) throw removed();
      if (desk.pairing === undefined) return desk;
      if (desk.pairing.hash !== hash)
        throw new AskboxError("CONFLICT", "Another askbox chat is adding somebody now; run this again when that is done.");
      if (desk.pairing.refused !== undefined) throw new AskboxError("CONFLICT", desk.pairing.refused);
      await pause(lookEvery);
    }
    throw new AskboxError(
      "ABORTED",
      isInterrupted ? "Nobody was added." : "Nobody has sent the code in time; run the command again for a new one.",
    );
  } catch (error) {
    await end();
    throw error;
  } finally {
    release();
  }
}

const removed = () => new AskboxError("CONFLICT", "The chat was removed in the meantime.");

/** A desk that nobody is in is removed with its token. */
function withoutPairing({ pairing: _, ...desk }: DeskSettings): DeskSettings | undefined {
  return desk.places.length === 0 ? undefined : desk;
}

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const settings: ChatSettings = readChatSettings(await chatFile(context));
  const desks = platformNames.flatMap((name) => {
    const desk = settings[name];
    if (desk === undefined) return [];
    const { bot, people, places, after, inbox } = desk;
    const nameOf = (person: string) => people.find(({ id }) => id === person)?.name ?? "";
    const shown = places.map(({ members, ...place }) => ({
      ...place,
      people: members.map(({ person, allow }) => ({ id: person, name: nameOf(person), allow })),
    }));
    return [{ name, bot, after, ...(inbox !== undefined && { inbox }), people, places: shown }];
  });
  if (json) await writeJson(stdout, desks);
  else if (desks.length === 0) await stdout.write(`There are no chats; askbox chat ${platformNames[0]} adds one.\n`);
  for (const { name, bot, people, places, after } of json ? [] : desks) {
    const lines = [
      `${platformOf(name).title}, as ${bot.name}; what nobody has seen for ${after} s`,
      ...places.map((place) => {
        const who = place.people.map((person) => (person.allow ? `${person.name}, who can allow actions once` : person.name));
        return `- to ${place.title === undefined ? "" : `the group ${place.title}: `}${who.join("; ") || "nobody"}`;
      }),
      `- answers from ${people.map((each) => each.name).join(", ") || "nobody"}`,
    ];
    await stdout.write(lines.map((line) => `${terminalLine(line)}\n`).join(""));
  }
  return exitCodes.done;
}

async function remove(context: CommandContext, name: PlatformName, who: string | undefined): Promise<ExitCode> {
  await peopleOnly(context, "remove chats that answer");
  const file = await chatFile(context);
  const desk = readChatSettings(file)[name];
  const { title } = platformOf(name);
  if (desk === undefined) throw usageError(`${title} is not set up.`);
  const isKnown = desk.people.some((each) => each.name === who) || desk.places.some((place) => place.title === who);
  if (who !== undefined && !isKnown) throw usageError(`Nobody in ${title} is called ${terminalLine(who)}; askbox chat list names them.`);
  await changeDesk(file, name, (present) => (who === undefined ? undefined : present && without(present, who)));
  await context.io.stdout.write(`Removed ${who === undefined ? title : `${terminalLine(who)} from ${title}`}.\n`);
  return exitCodes.done;
}

/** Without a person, or a group, and without the chats and people that are left over; undefined if no chat is. */
function without(desk: DeskSettings, who: string): DeskSettings | undefined {
  const meant = new Set(desk.people.filter(({ name }) => name === who).map(({ id }) => id));
  const places = desk.places
    .filter(({ title }) => meant.size > 0 || title !== who)
    .map((place) => ({ ...place, members: place.members.filter(({ person }) => !meant.has(person)) }))
    .filter(({ members }) => members.length > 0);
  const people = desk.people.filter(({ id }) => places.some(({ members }) => members.some(({ person }) => person === id)));
  return places.length === 0 ? undefined : { ...desk, people, places };
}
