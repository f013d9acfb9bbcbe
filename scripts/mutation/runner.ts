import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { InstrumenterContext, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareFactoryPlugin, type Injector, type PluginContext, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { reloadable } from "./modules.ts";
import { collect, type DeclaredTest } from "./suite.ts";
import { Watchdog } from "./watchdog.ts";

/**
 * In ms; a test that takes longer will never end. One that has passed before gets a multiple of its previous time, since the machine may be
 * busy.
 */
const testTimeout = { first: 20_000, least: 5_000, factor: 50 };

interface LoadedTest extends DeclaredTest {
  readonly id: string;
  readonly fileName: string;
}

interface Settings {
  /** Files loaded before the tests. */
  readonly setup: readonly string[];
  /** Globs of the test files, relative to the package's folder. */
  readonly tests: readonly string[];
  /** Globs of test files that don't test the mutated code. */
  readonly except: readonly string[];
}

/**
 * Runs a package's tests in Stryker's own process, without vitest: a mutation run loads them once and calls them thousands of
 * times, whereas vitest creates a worker for every run, which takes a second. See docs/decisions/mutation-testing.md.
 */
class InProcessRunner implements TestRunner {
  readonly #settings: Settings;
  readonly #stryker: InstrumenterContext;
  readonly #modules = reloadable(pathToFileURL(`${process.cwd()}/`));
  readonly #watchdog = new Watchdog();
  #tests: LoadedTest[] | undefined;
  /** The last duration of each test, in ms. */
  readonly #took = new Map<string, number>();
  /** Uncaught errors while a test ran. */
  #stray: unknown;

  constructor(options: StrykerOptions, namespace: string) {
    this.#settings = options["inProcess"] as Settings;
    const world = globalThis as unknown as Record<string, InstrumenterContext>;
    this.#stryker = world[namespace] ??= {};
    const keep = (error: unknown) => {
      this.#stray ??= error ?? new Error("Something was thrown that nobody caught.");
    };
    process.on("unhandledRejection", keep);
    process.on("uncaughtException", keep);
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(options: DryRunOptions): Promise<DryRunResult> {
    const result = await this.#run(undefined, options);
    const { mutantCoverage } = this.#stryker;
    return result.status === DryRunStatus.Complete && mutantCoverage !== undefined ? { ...result, mutantCoverage } : result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, reloadEnvironment, testFilter, hitLimit } = options;
    const stryker = this.#stryker as { hitCount: number | undefined; hitLimit: number | undefined; activeMutant: string | undefined };
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    stryker.hitLimit = hitLimit;
    if (reloadEnvironment) {
      this.#modules.forget();
      this.#tests = undefined;
    }
    stryker.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
    try {
      await this.#load();
    } catch (error) {
      // A module that cannot be loaded fails all tests.
      this.#tests = undefined;
      return toMutantRunResult({ status: DryRunStatus.Complete, tests: [notLoaded(error)] });
    }
    stryker.activeMutant = activeMutant.id;
    const result = await this.#run(testFilter, options);
    stryker.activeMutant = undefined;
    return toMutantRunResult(determineHitLimitReached(stryker.hitCount, hitLimit) ?? result);
  }

  async #load(): Promise<LoadedTest[]> {
    if (this.#tests !== undefined) return this.#tests;
    const tests: LoadedTest[] = [];
    for (const fileName of this.#settings.setup) await this.#modules.load(fileName);
    for (const fileName of globSync([...this.#settings.tests], { exclude: [...this.#settings.except] }).sort()) {
      const declared = await collect(() => this.#modules.load(fileName));
      tests.push(...declared.map(({ name, run }) => ({ id: `${fileName} > ${name}`, fileName, name, run })));
    }
    this.#tests = tests;
    return tests;
  }

  async #run(
    filter: readonly string[] | undefined,
    { disableBail }: { disableBail: boolean },
  ): Promise<DryRunResult & { status: DryRunStatus.Complete }> {
    const wanted = filter === undefined ? undefined : new Set(filter);
    const chosen = (await this.#load()).filter(({ id }) => wanted === undefined || wanted.has(id));
    // The first failure ends the run, so the fast tests go first.
    const took = ({ id }: LoadedTest) => this.#took.get(id) ?? 0;
    const tests: TestResult[] = [];
    for (const test of chosen.sort((one, other) => took(one) - took(other))) {
      const result = await this.#runOne(test);
      if (result.status === TestStatus.Success) this.#took.set(test.id, result.timeSpentMs);
      tests.push(result);
      if (result.status === TestStatus.Failed && !disableBail) break;
    }
    return { status: DryRunStatus.Complete, tests };
  }

  #limitOf(id: string): number {
    const took = this.#took.get(id);
    return took === undefined ? testTimeout.first : Math.max(testTimeout.least, testTimeout.factor * took);
  }

  async #runOne({ id, name, fileName, run }: LoadedTest): Promise<TestResult> {
    this.#stray = undefined;
    this.#stryker.currentTestId = id;
    const began = performance.now();
    const failure = await this.#watchdog.watch(run, this.#limitOf(id)).then(
      // Unhandled rejections are reported a turn later.
      () => new Promise((resolve) => setImmediate(() => resolve(this.#stray))),
      (error: unknown) => error ?? new Error("It threw nothing."),
    );
    this.#stryker.currentTestId = undefined;
    const ended = { id, name, fileName, timeSpentMs: performance.now() - began };
    if (failure === undefined) return { ...ended, status: TestStatus.Success };
    return { ...ended, status: TestStatus.Failed, failureMessage: failure instanceof Error ? failure.message : String(failure) };
  }
}

function notLoaded(error: unknown): TestResult {
  const failureMessage = `The tests could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  return { id: "load", name: "load", timeSpentMs: 0, status: TestStatus.Failed, failureMessage };
}

function createRunner(injector: Injector<PluginContext>): InProcessRunner {
  return new InProcessRunner(injector.resolve(commonTokens.options), "__stryker__");
}
createRunner.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "in-process", createRunner)];
