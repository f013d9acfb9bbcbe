import "./styles/index.css";
import type { SurfaceParts } from "@askbox/react";
import { createRoot } from "react-dom/client";
import { App, preloadSessionPage } from "./app.tsx";
import { connect } from "./boot/connect.ts";
import { logIn, storedSecret, takeLoginCode } from "./boot/login.ts";
import { chosenLanguage, LanguageProvider } from "./i18n/language.tsx";
import { createTranslate, loadCatalogue } from "./i18n/translate.ts";
import { keepInstallOffer } from "./offline/install-offer.tsx";
import { registerServiceWorker, reloadWhenReplaced } from "./offline/register.ts";
import { settings } from "./settings/settings.ts";
import { applyTheme } from "./settings/theme.ts";
import type { GateReason } from "./shell/gate.tsx";

async function start(root: HTMLElement): Promise<void> {
  applyTheme();
  keepInstallOffer();
  reloadWhenReplaced();
  registerServiceWorker();
  const code = takeLoginCode();
  const language = chosenLanguage(settings.getState().language);
  const [entered, catalogue] = await Promise.all([enter(code), loadCatalogue(language)]);
  const initial = { language, translate: createTranslate(language, catalogue) };
  createRoot(root).render(
    <LanguageProvider initial={initial}>
      <App {...entered} />
    </LanguageProvider>,
  );
  if (entered.parts !== undefined) preloadSessionPage();
}

async function enter(code: string | undefined): Promise<{ parts: SurfaceParts | undefined; reason: GateReason }> {
  const result = code === undefined ? "none" : await logIn(code);
  const secret = storedSecret();
  // A browser that is logged in already is not thrown out by an old link.
  if (secret !== undefined) return { parts: connect(secret), reason: "none" };
  return { parts: undefined, reason: result === "refused" ? "used" : result === "failed" ? "failed" : "none" };
}

const root = document.getElementById("root");
if (root !== null) void start(root);
