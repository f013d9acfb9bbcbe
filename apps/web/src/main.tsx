import "./styles/index.css";
import { standardPlatform } from "@askbox/core";
import { createRoot } from "react-dom/client";
import { App, Gate, preload } from "./app.tsx";
import { connect, type PageParts } from "./boot/connect.ts";
import { hasSession } from "./boot/host.ts";
import { loadLogin } from "./boot/stored-login.ts";
import { chosenLanguage, LanguageProvider } from "./i18n/language.tsx";
import { createTranslate, loadCatalogue } from "./i18n/translate.ts";
import { keepInstallOffer, registerServiceWorker, reloadWhenReplaced } from "./offline/install.ts";
import type { GateReason } from "./shell/gate.tsx";
import { applyTheme, settings } from "./stored-settings.ts";

/** The browser's own clock, which nothing else reads: every part takes the page's, so that tests can move the time. */
const platform = standardPlatform(globalThis);

async function start(root: HTMLElement): Promise<void> {
  applyTheme();
  keepInstallOffer();
  reloadWhenReplaced(platform.clock);
  registerServiceWorker();
  const code = takeLoginCode();
  const language = chosenLanguage(settings.getState().language);
  const [entered, catalogue] = await Promise.all([enter(code), loadCatalogue(language)]);
  if (entered.parts === undefined) Gate.preload(platform.clock);
  const initial = { language, translate: createTranslate(language, catalogue) };
  createRoot(root).render(
    <LanguageProvider initial={initial}>
      <App {...entered} />
    </LanguageProvider>,
  );
  if (entered.parts !== undefined) preload(platform.clock);
}

async function enter(code: string | undefined): Promise<{ parts: PageParts | undefined; reason: GateReason }> {
  // The hub may be away when its login fails, and the gate says so.
  if (code !== undefined) Gate.preload(platform.clock);
  // Loaded only for a login, which happens once per browser.
  const result = code === undefined ? "none" : await (await import("./boot/login.ts")).logIn(code);
  const login = await loadLogin();
  const session = await hasSession();
  // Whoever is logged in to the program around the hub now is the one who answers, not who was when the browser used a login link.
  if (session || (session === undefined && login === undefined)) return { parts: connect(undefined, platform), reason: "none" };
  // An old link doesn't log out a browser that is already logged in.
  if (login !== undefined) return { parts: connect(login, platform), reason: "none" };
  return { parts: undefined, reason: result === "refused" ? "used" : result === "failed" ? "failed" : "none" };
}

/** Removes a login code from the URL, so that it is neither in the history nor in a shared link. */
function takeLoginCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("login");
  if (code === null) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return code;
}

const root = document.getElementById("root");
if (root !== null) void start(root);
