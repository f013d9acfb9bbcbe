import { useAskbox, useInbox } from "@askbox/react";
import { type ReactNode, useEffect, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { askPush, type PushPower, type PushState, pushPower, turnPushOff, turnPushOn } from "./subscribe.ts";

/** What prevents pushes to this browser. */
const hints: Record<Exclude<PushPower, "ready">, MessageKey> = {
  denied: "preferences.notify.denied",
  insecure: "push.insecure",
  install: "push.install",
  missing: "push.missing",
};

/** Pushes to this browser, and the others that get them. `around` isn't called if the hub sends none. */
export function PushSection({ around }: { around(content: ReactNode): ReactNode }) {
  const t = useTranslate();
  const { connection } = useInbox();
  const { clock } = useAskbox();
  const [state, setState] = useState<PushState>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const power = pushPower();

  const change = async (work: () => Promise<PushState | undefined>) => {
    setBusy(true);
    try {
      const changed = await work();
      if (changed !== undefined) setState(changed);
      setError(undefined);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setBusy(false);
  };
  useEffect(() => {
    if (connection === "open") void change(() => askPush(clock, { do: "read" }));
  }, [connection, clock]);

  if (state === undefined && error === undefined) return null;
  const own = state?.browsers.find(({ current }) => current);
  const others = state?.browsers.filter(({ current }) => !current) ?? [];
  const turn = (isOn: boolean, allow: boolean) =>
    void change(() => (isOn ? turnPushOn(clock, state?.key ?? "", allow) : turnPushOff(clock)));
  return around(
    <div className="preferences">
      {error !== undefined && (
        <p className="error" role="alert">
          {t("push.failed", { message: error })}
        </p>
      )}
      <Switch
        label={t("push.on")}
        hint={power === "ready" ? undefined : t(hints[power])}
        checked={own !== undefined}
        disabled={isBusy || state === undefined || (power !== "ready" && own === undefined)}
        onChange={(isOn) => turn(isOn, false)}
      />
      {own !== undefined && (
        <Switch
          label={t("push.allow")}
          hint={t("push.allow.hint")}
          checked={own.allow}
          disabled={isBusy || power !== "ready"}
          onChange={(allow) => turn(true, allow)}
        />
      )}
      {others.length > 0 && (
        <ul className="devices" aria-label={t("push.others")}>
          {others.map(({ id, name, person, allow }) => (
            <li key={id} data-push={id}>
              <div>
                <p className="device-name">
                  <AgentText>{person === undefined ? name : `${person} · ${name}`}</AgentText>
                </p>
                {allow && <p className="quiet">{t("push.allows")}</p>}
              </div>
              <button
                type="button"
                className="button small"
                disabled={isBusy}
                onClick={() => void change(() => askPush(clock, { do: "off", id }))}
              >
                {t("push.off")}
                <span className="visually-hidden">: {name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>,
  );
}

interface SwitchProps {
  label: string;
  hint: string | undefined;
  checked: boolean;
  disabled: boolean;
  onChange(isOn: boolean): void;
}

function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  return (
    <>
      <label className="switch">
        <span>{label}</span>
        <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      </label>
      {hint !== undefined && <p className="preference-hint quiet">{hint}</p>}
    </>
  );
}
