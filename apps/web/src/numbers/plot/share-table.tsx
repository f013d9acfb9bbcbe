import { endingKinds, type TallyShare } from "@askbox/core/stores";
import { useId } from "react";
import { useFormats } from "../../i18n/formats.ts";
import { useTranslate } from "../../i18n/language.tsx";
import { sayLength } from "../../i18n/phrases.ts";
import { AgentText } from "../../ui/agent-text.tsx";
import { tallyKeys } from "../summary.ts";

/** The number of rows before the rest is summed up. */
const most = 8;

interface ShareTableProps {
  title: string;
  /** The title of the first column. */
  of: string;
  shares: readonly TallyShare[];
  nameOf(share: TallyShare): string;
}

/** How often each one asked and how it ended: a table whose middle column is a plot. */
export function ShareTable({ title, of, shares, nameOf }: ShareTableProps) {
  const t = useTranslate();
  const { count } = useFormats();
  const id = useId();
  const largest = Math.max(1, ...shares.map(({ total }) => total));
  const shown = shares.slice(0, most);
  const hidden = shares.slice(most);
  return (
    <section className="figure" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="shares">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">
              <span className="visually-hidden">{t("numbers.ended")}</span>
            </th>
            <th scope="col">{t("numbers.asked")}</th>
            <th scope="col">{t("numbers.median")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((share) => (
            <tr key={share.name ?? ""}>
              <th scope="row" title={share.name}>
                <AgentText>{nameOf(share)}</AgentText>
              </th>
              <td>
                <span className="visually-hidden">
                  {endingKinds
                    .filter((kind) => share.counts[kind] > 0)
                    .map((kind) => `${t(tallyKeys[kind])}: ${count(share.counts[kind])}`)
                    .join(", ")}
                </span>
                <span className="share-bar" aria-hidden="true" style={{ width: `${(100 * share.total) / largest}%` }}>
                  {endingKinds.map(
                    (kind) =>
                      share.counts[kind] > 0 && (
                        <span
                          key={kind}
                          data-kind={kind}
                          title={`${t(tallyKeys[kind])}: ${count(share.counts[kind])}`}
                          style={{ flexGrow: share.counts[kind] }}
                        />
                      ),
                  )}
                </span>
              </td>
              <td>{count(share.total)}</td>
              <td>{share.median === undefined ? "–" : sayLength(t, share.median)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden.length > 0 && (
        <p className="quiet">
          {t("numbers.others", { count: hidden.length, asked: count(hidden.reduce((sum, { total }) => sum + total, 0)) })}
        </p>
      )}
    </section>
  );
}
