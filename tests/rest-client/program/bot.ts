import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Answer = components["schemas"]["AnswerRequest"];
interface Options {
  fetch(request: Request): Promise<Response>;
  token: string;
}

const at = (id: string) => ({ params: { path: { id } } });

/** A program that only knows askbox's OpenAPI document. Each call returns the data, or the problem with its status. */
export function bot({ fetch, token }: Options) {
  const client = createClient<paths>({ baseUrl: "http://127.0.0.1", fetch, headers: { authorization: `Bearer ${token}` } });
  return {
    async ask(question: string) {
      const questions = [{ id: "q", question, type: "select" as const, options: ["blue", "green"], allowOther: false }];
      const { data, error, response } = await client.POST("/api/sessions", { body: { questions, timeout: 60_000 } });
      return {
        id: data?.id,
        isPending: data?.status === "pending",
        status: response.status,
        code: error?.code,
        retryAfter: error?.retryAfter,
      };
    },
    async answer(id: string, body: Answer) {
      const { data, error, response } = await client.POST("/api/sessions/{id}/answer", { ...at(id), body });
      return {
        by: data?.outcome?.by.name,
        status: response.status,
        code: error?.code,
        stands: error?.session?.status,
        issues: error?.issues,
      };
    },
    async reply(id: string, body: Answer) {
      const { data, response } = await client.POST("/api/sessions/{id}/reply", { ...at(id), body });
      return { late: data?.reply?.answers, status: response.status };
    },
    async outcome(id: string) {
      const { data, error, response } = await client.GET("/api/sessions/{id}", at(id));
      const answers = data !== undefined && "answers" in data ? data.answers : undefined;
      return { state: data?.status, answers, status: response.status, code: error?.code };
    },
  };
}
