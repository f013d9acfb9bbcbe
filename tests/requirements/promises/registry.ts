import { apiPage } from "./list/api.ts";
import { architecturePage } from "./list/architecture.ts";
import { architectureFlowPage } from "./list/architecture-flow.ts";
import { attentionPage } from "./list/attention.ts";
import { clientFormPage } from "./list/client-form.ts";
import { clientsPage } from "./list/clients.ts";
import { clientsMorePage } from "./list/clients-more.ts";
import { commandLinePage } from "./list/command-line.ts";
import { commandsPage } from "./list/commands.ts";
import { commandsAnswerPage } from "./list/commands-answer.ts";
import { commandsAskPage } from "./list/commands-ask.ts";
import { commandsClientsPage } from "./list/commands-clients.ts";
import { commandsHubPage } from "./list/commands-hub.ts";
import { conceptsPage } from "./list/concepts.ts";
import { conceptsWaitingPage } from "./list/concepts-waiting.ts";
import { configurationPage } from "./list/configuration.ts";
import { deployPage } from "./list/deploy.ts";
import { elicitPage } from "./list/elicit.ts";
import { elicitAgainPage } from "./list/elicit-again.ts";
import { embeddingPage } from "./list/embedding.ts";
import { embeddingMorePage } from "./list/embedding-more.ts";
import { guaranteesPage } from "./list/guarantees.ts";
import { guaranteesLimitsPage } from "./list/guarantees-limits.ts";
import { guaranteesTimePage } from "./list/guarantees-time.ts";
import { httpPage } from "./list/http.ts";
import { httpMorePage } from "./list/http-more.ts";
import { httpStreamsPage } from "./list/http-streams.ts";
import { httpTasksPage } from "./list/http-tasks.ts";
import { indexPage } from "./list/index.ts";
import { operationsPage } from "./list/operations.ts";
import { operationsLimitsPage } from "./list/operations-limits.ts";
import { operationsLogsPage } from "./list/operations-logs.ts";
import { performancePage } from "./list/performance.ts";
import { questionTypesPage } from "./list/question-types.ts";
import { questionTypesFormsPage } from "./list/question-types-forms.ts";
import { readmePage } from "./list/readme.ts";
import { readmeHubPage } from "./list/readme-hub.ts";
import { readmeSurfacesPage } from "./list/readme-surfaces.ts";
import { readmeWaysPage } from "./list/readme-ways.ts";
import { redisPage } from "./list/redis.ts";
import { clientEntriesPage, shapesPage } from "./list/references.ts";
import { restPage } from "./list/rest.ts";
import { scalePage } from "./list/scale.ts";
import { securityPage } from "./list/security.ts";
import { securityAccessPage } from "./list/security-access.ts";
import { securityModelPage } from "./list/security-model.ts";
import { securityTextPage } from "./list/security-text.ts";
import { startPage } from "./list/start.ts";
import { terminalPage } from "./list/terminal.ts";
import { toolsPage } from "./list/tools.ts";
import { toolsInputPage } from "./list/tools-input.ts";
import { webPage } from "./list/web.ts";
import { webhooksPage } from "./list/webhooks.ts";
import { wirePage } from "./list/wire.ts";
import { wireLimitsPage } from "./list/wire-limits.ts";
import type { PromisedPage } from "./promise.ts";

/** Everything that the pages for users promise; a page may have several entries, so that no file grows long. */
export const registry: readonly PromisedPage[] = [
  architecturePage,
  architectureFlowPage,
  clientsPage,
  clientsMorePage,
  commandsPage,
  commandsAnswerPage,
  commandsAskPage,
  commandsHubPage,
  commandsClientsPage,
  deployPage,
  elicitPage,
  elicitAgainPage,
  guaranteesPage,
  guaranteesTimePage,
  guaranteesLimitsPage,
  httpPage,
  httpStreamsPage,
  httpTasksPage,
  httpMorePage,
  performancePage,
  questionTypesPage,
  questionTypesFormsPage,
  readmePage,
  readmeWaysPage,
  readmeSurfacesPage,
  readmeHubPage,
  redisPage,
  clientEntriesPage,
  shapesPage,
  scalePage,
  securityPage,
  securityModelPage,
  securityAccessPage,
  securityTextPage,
  operationsPage,
  operationsLogsPage,
  operationsLimitsPage,
  configurationPage,
  apiPage,
  restPage,
  wirePage,
  wireLimitsPage,
  toolsPage,
  toolsInputPage,
  webhooksPage,
  indexPage,
  startPage,
  conceptsPage,
  conceptsWaitingPage,
  terminalPage,
  webPage,
  commandLinePage,
  clientFormPage,
  attentionPage,
  embeddingPage,
  embeddingMorePage,
];
