import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long for their size: each case runs a whole suite of cases, a browser or several processes. */
const long =
  /packages\/chat\/test\/|contract\.test\.ts$|tests\/mcp\/requirements-|tests\/(?:conformance|web)\/|tests\/docs\/samples|apps\/hub\/test\/race|tests\/command\/(?:demo|edit-answer|nobody-else)/;

/**
 * Starts long files early, so that no processor waits for one at the end. Vitest knows the files' times only from an earlier run, and
 * takes the largest first until then.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = (file: TestSpecification) => long.test(file.moduleId) && this.ctx.cache.getTestSpecificationResult(file) === undefined;
    // A worker goes on with files of its project, so these stay together.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
