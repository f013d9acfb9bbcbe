import "./settings.css";
import { type ReactNode, useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { later } from "../ui/later.tsx";
import { DeviceList } from "./device-list.tsx";
import { GrantList } from "./grant-list.tsx";
import { InstallButton } from "./install-button.tsx";
import { LogOut } from "./log-out.tsx";
import { PreferenceFields } from "./preference-fields.tsx";

const PushSection = later(async () => (await import("../push/push-section.tsx")).PushSection);

/** Settings for this browser, and the logged-in browsers. */
export function SettingsPage() {
  const t = useTranslate();
  return (
    <main className="page settings" id="detail" tabIndex={-1} data-testid="settings">
      <div className="page-body">
        <h1>{t("settings.title")}</h1>
        <Section title={t("settings.browser")} text={t("settings.browser.text")}>
          <PreferenceFields />
        </Section>
        <InstallButton
          around={(offer) => (
            <Section title={t("install.title")} text={t("install.text")}>
              {offer}
            </Section>
          )}
        />
        <PushSection
          around={(content) => (
            <Section title={t("push.title")} text={t("push.text")}>
              {content}
            </Section>
          )}
        />
        <Section title={t("grants.title")} text={t("grants.text")}>
          <GrantList />
        </Section>
        <Section title={t("devices.title")} text={t("devices.text")}>
          <DeviceList />
          <LogOut />
        </Section>
      </div>
    </main>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="quiet">{text}</p>
      </div>
      <div className="settings-content">{children}</div>
    </section>
  );
}
