import { ChoiceWidget } from "./choice-widget.tsx";
import { ConfirmWidget } from "./confirm-widget.tsx";
import { DateWidget } from "./date-widget.tsx";
import { LineWidget } from "./line-widget.tsx";
import { RatingWidget } from "./rating-widget.tsx";
import { TextWidget } from "./text-widget.tsx";
import { UnknownWidget } from "./unknown-widget.tsx";
import type { WidgetProps } from "./widget.ts";

/** The widget of a question's type. */
export function QuestionWidget({ question, ...rest }: WidgetProps) {
  switch (question.type) {
    case "text":
      return question.format === undefined ? <TextWidget question={question} {...rest} /> : <LineWidget question={question} {...rest} />;
    case "number":
      return <LineWidget question={question} {...rest} />;
    case "date":
      return <DateWidget question={question} {...rest} />;
    case "select":
    case "multi-select":
      return <ChoiceWidget question={question} {...rest} />;
    case "confirm":
      return <ConfirmWidget question={question} {...rest} />;
    case "rating":
      return <RatingWidget question={question} {...rest} />;
    case "unknown":
      return <UnknownWidget />;
  }
}
