import fc from "fast-check";

// Runs thousands of times, so a property tries a few cases, the same for every mutant, and fails at the first one without shrinking.
fc.configureGlobal({ seed: 1, numRuns: 100, endOnFailure: true });
