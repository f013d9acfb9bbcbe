import { useAskbox } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { MessageField, useMessage } from "../thread/message-field.tsx";

/** A field for writing to an agent that has not asked. `onClose` is told whether the message was sent. */
export function MessageForm({ agentId, onClose }: { agentId: string; onClose(isSent: boolean): void }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const message = useMessage(
    agentId,
    async ({ text }, options) => {
      const session = await desk.message(agentId, text, options);
      if (session.status === "pending") inbox.accept(session);
      onClose(true);
    },
    () => onClose(false),
  );
  return (
    <div className="agent-message">
      <MessageField message={message} label={t("agents.message.label")} hint={t("agents.message.hint")}>
        {t("agents.message.send")}
      </MessageField>
    </div>
  );
}
