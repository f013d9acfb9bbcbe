import type { Action, AskerInfo } from "@askbox/core";
import { type ActionPart, actionParts } from "@askbox/core/questions";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { DocumentView, type DocumentViewProps } from "./document-view.tsx";

interface ActionViewProps extends Pick<DocumentViewProps, "comments" | "onComments"> {
  id: string;
  action: Action;
  asker: Pick<AskerInfo, "project" | "branch">;
}

/** The whole action of the question `id`, what is done before where, wrapped, with invisible characters replaced by their code points. */
export function ActionView({ id, action, asker, comments, onComments }: ActionViewProps) {
  const t = useTranslate();
  const parts = actionParts(action);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const { project, branch } = asker;
  return (
    <div className="action" data-kind={action.kind} data-action={id} data-testid="action">
      {suspects.length > 0 && (
        <p className="action-warning" role="alert">
          {t("approval.suspect", { characters: suspects.join(", ") })}
        </p>
      )}
      <dl>
        {parts.map((part) => (
          <div key={part.name} data-part={part.name} data-as={part.as}>
            <dt>{t(`approval.part.${part.name}`)}</dt>
            <dd>
              <Part
                part={part}
                path={action.path}
                {...(part.name === (action.diff === undefined ? "plan" : "diff") && { comments, onComments })}
              />
            </dd>
          </div>
        ))}
        {action.cwd === undefined && project !== undefined && (
          <div data-part="cwd" data-as="line">
            <dt>{t("approval.part.project")}</dt>
            <dd className="exact">{exactText(project)}</dd>
          </div>
        )}
        {branch !== undefined && (
          <div data-part="branch" data-as="line">
            <dt>{t("approval.part.branch")}</dt>
            <dd className="exact">{exactText(branch)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

type PartProps = { part: ActionPart; path: string | undefined } & Pick<DocumentViewProps, "comments" | "onComments">;

function Part({ part: { as, text }, path, comments, onComments }: PartProps) {
  if (as === "diff") return <DocumentView text={text} isDiff path={path} comments={comments} onComments={onComments} />;
  if (as === "line")
    return (
      <span className="exact" dir="ltr">
        {exactText(text)}
      </span>
    );
  if (as === "code")
    return (
      <pre className="exact exact-block" dir="ltr">
        {exactText(text)}
      </pre>
    );
  return <DocumentView text={text} isDiff={false} comments={comments} onComments={onComments} />;
}
