import type { Reaction } from "../port.ts";
import { formOf, whisper } from "./components.ts";
import type { Interaction } from "./events.ts";
import type { Rest } from "./rest.ts";

/** What a press or a form can be answered with (docs.discord.com/developers/interactions/receiving-and-responding). */
const kinds = { message: 4, nothing: 6, form: 9 };

/** Answers a press or a form, for which Discord waits three seconds: with what only that person reads, with a form, or just so. */
export async function answer(rest: Rest, { id, token, type }: Interaction, { tell, isShown, ask }: Reaction): Promise<void> {
  const body =
    ask !== undefined && type === 3
      ? { type: kinds.form, data: formOf(ask) }
      : tell !== undefined && !isShown
        ? { type: kinds.message, data: whisper(tell) }
        : { type: kinds.nothing };
  await rest({ method: "POST", path: `/interactions/${id}/${token}/callback`, body });
}
