import { workerData } from "node:worker_threads";
import { homeFiles, homeFolders } from "@askbox/home";
import { openLedger } from "../../src/files/ledger.ts";

/** Runs in a thread of its own: writes records of as many files. */
const { home, name, count, record } = workerData;
const ledger = openLedger(homeFiles(homeFolders({ env: { ASKBOX_HOME: home } })));
for (let number = 0; number < count; number += 1) ledger.set(`/${name}/${number}.json`, record);
