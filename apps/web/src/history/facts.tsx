import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import type { MessageKey } from "../i18n/en.ts";
import { type Formats, sayLength, useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";
import { AgentText } from "../ui/agent-text.tsx";

/** The facts about a session, as a list. */
export function SessionFacts({ session }: { session: SessionView }) {
  const t = useTranslate();
  const formats = useFormats();
  return (
    <dl className="facts">
      {factsOf(session, t, formats).map(({ name, value, isCode }) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>
            <AgentText className={isCode ? "fact-code" : undefined}>{value}</AgentText>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Fact {
  name: MessageKey;
  value: string;
  /** Whether it is a path, a branch or an id. */
  isCode?: boolean;
}

/** Who asked what from where, and what happened when; for the page and for exported files. */
export function factsOf(session: SessionView, t: Translate, { moment }: Formats): Fact[] {
  const { asker, createdAt, closedAt, seenAt, id } = session;
  const facts: (Fact | undefined)[] = [
    { name: "fact.asked", value: moment(createdAt) },
    seenAt === undefined ? undefined : { name: "fact.seen", value: t("fact.after", { time: sayLength(t, seenAt - createdAt) }) },
    closedAt === null
      ? undefined
      : { name: "fact.settled", value: `${moment(closedAt)} (${t("fact.after", { time: sayLength(t, closedAt - createdAt) })})` },
    { name: "fact.delivery", value: deliveryOf(session, t, moment) },
    {
      name: "fact.agent",
      value: [clientTitle(asker.client.name), asker.client.version, asker.agentId].filter((part) => part !== undefined).join(" · "),
    },
    asker.project === undefined ? undefined : { name: "fact.folder", value: asker.project, isCode: true },
    asker.branch === undefined ? undefined : { name: "fact.branch", value: asker.branch, isCode: true },
    asker.repository === undefined ? undefined : { name: "fact.repository", value: asker.repository, isCode: true },
    asker.machine === undefined ? undefined : { name: "approval.part.machine", value: asker.machine, isCode: true },
    { name: "fact.id", value: id, isCode: true },
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Whether the outcome, and the reply after it, were delivered to the agent. */
function deliveryOf({ status, delivery, reply }: SessionView, t: Translate, moment: (at: number) => string): string {
  if (status === "pending") return t("fact.delivery.pending");
  const outcome = delivery.deliveredAt === null ? t("delivery.waits") : t("fact.delivery.at", { time: moment(delivery.deliveredAt) });
  if (reply === undefined) return outcome;
  const later = reply.deliveredAt === undefined ? t("fact.reply.waits") : t("fact.reply.at", { time: moment(reply.deliveredAt) });
  return `${outcome} ${later}`;
}
