import { type ReactNode, useId } from "react";
import { useTranslate } from "../../i18n/language.tsx";

interface FigureProps {
  title: string;
  /** The plot in one sentence. */
  sentence: string;
  children(plot: { label: string }): ReactNode;
  /** The same data as a table. */
  table: { columns: readonly string[]; rows: readonly (readonly string[])[] };
}

/** A plot with its title, a summary, and its data as a table for those who can't or don't want to see it. */
export function Figure({ title, sentence, children, table }: FigureProps) {
  const t = useTranslate();
  const id = useId();
  const [first, ...columns] = table.columns;
  return (
    <figure className="figure" aria-labelledby={`${id}-title`}>
      <figcaption>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="quiet">{sentence}</p>
      </figcaption>
      {children({ label: `${title}. ${sentence}` })}
      <details className="figure-table">
        <summary>{t("numbers.table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keyboard too. */}
        <section className="table-scroll" tabIndex={0} aria-labelledby={`${id}-title`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
