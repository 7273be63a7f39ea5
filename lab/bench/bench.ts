// Measures ingest and reads of the server in comparison with PostgreSQL alone; see README.md.
import { parseArgs } from "node:util";
import { openDurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { createDatabase, createPool, type Database } from "../../packages/server/src/db/database.ts";
import { loadTenants } from "./load-tenants.ts";
import { measureBatches } from "./measure/measure-batches.ts";
import { measureGrowth } from "./measure/measure-growth.ts";
import { measureLargeTrace } from "./measure/measure-large-trace.ts";
import { measureOtlp } from "./measure/measure-otlp.ts";
import { measureReads } from "./measure/measure-reads.ts";
import { measureResends } from "./measure/measure-resends.ts";
import { measureSettings } from "./measure/measure-settings.ts";
import { measureSingles } from "./measure/measure-singles.ts";
import { type Results, summarize } from "./results.ts";
import { writeReport } from "./write-report.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    smallest: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    sections: { type: "string", default: "batches,singles,otlp,resends,masking,trace,reads,growth" },
    rounds: { type: "string" },
    requests: { type: "string" },
    database: { type: "string" },
    only: { type: "string", default: "" },
    stored: { type: "string" },
  },
});
const SIZES = {
  full: {
    rounds: 5,
    batches: 4_000,
    singles: 3_200,
    conversations: 800,
    otlp: 3_360,
    resends: 40,
    traceRequests: 15,
    scale: 1,
    requests: 200,
    growth: [10_000, 100_000, 1_000_000],
  },
  quick: {
    rounds: 5,
    batches: 1_000,
    singles: 640,
    conversations: 240,
    otlp: 1_680,
    resends: 15,
    traceRequests: 7,
    scale: 0.05,
    requests: 30,
    growth: [10_000, 20_000],
  },
  /** Measures nothing: it shows that everything still runs. */
  smallest: {
    rounds: 1,
    batches: 100,
    singles: 64,
    conversations: 20,
    otlp: 80,
    resends: 2,
    traceRequests: 1,
    scale: 0.002,
    requests: 2,
    growth: [300, 600],
  },
};
const isQuick = values.quick || values.smallest;
const size = values.smallest ? SIZES.smallest : values.quick ? SIZES.quick : SIZES.full;
const rounds = Number(values.rounds ?? size.rounds);
const stored = values.stored?.split(",").map(Number) ?? size.growth;
const sections = new Set(values.sections.split(","));
const MASKING_LEVELS = (["off", "secrets", "personal"] as const).map((level) => {
  return { name: level, environment: { MASKING_DEFAULT: level } };
});

const postgres = await openDurablePostgres();
const results: Results = { isQuick, rounds };
try {
  if (sections.has("batches")) {
    console.error("\nbatches");
    results.batches = await measureBatches(postgres, { size: "full", traces: size.batches, rounds });
    console.error("\nbatches of conversations");
    results.conversationBatches = await measureBatches(postgres, {
      size: "conversation",
      traces: size.conversations,
      rounds,
    });
  }
  if (sections.has("singles")) {
    console.error("\nsingles");
    results.singles = await measureSingles(postgres, { size: "full", traces: size.singles, rounds });
    console.error("\nsingle conversations");
    results.conversationSingles = await measureSingles(postgres, {
      size: "conversation",
      traces: size.conversations,
      rounds,
    });
  }
  if (sections.has("otlp")) {
    console.error("\notlp");
    results.otlp = await measureOtlp(postgres, { traces: size.otlp, rounds });
  }
  await section("resends", async (url, db) => {
    results.resends = await measureResends(url, db, { traces: size.resends, rounds });
  });
  if (sections.has("masking")) {
    console.error("\nmasking");
    results.masking = {
      full: await measureSettings(
        postgres,
        { size: "full", traces: size.batches / 2, rounds },
        MASKING_LEVELS,
      ),
      conversation: await measureSettings(
        postgres,
        { size: "conversation", traces: size.conversations, rounds },
        MASKING_LEVELS,
      ),
    };
  }
  if (sections.has("trace")) {
    console.error("\ntrace");
    results.largeTrace = await measureLargeTrace(postgres, size.traceRequests);
  }
  await section(
    "reads",
    async (url, db) => {
      if (!values.database) await loadTenants(url, size.scale);
      const readOptions = {
        requests: Number(values.requests ?? size.requests),
        warmUp: 20,
        only: new RegExp(values.only),
      };
      results.reads = await measureReads(url, db, readOptions);
    },
    values.database,
  );
  await section("growth", async (url, db) => {
    results.growth = await measureGrowth(url, db, { stored, rounds, traces: size.batches / 2 });
  });
} finally {
  await postgres.stop();
}
const report = writeReport(results);
console.log(values.json ? JSON.stringify(summarize(results)) : report);

/** Runs each section on a new database, unless `existingUrl` is given. */
async function section(
  name: string,
  measure: (url: string, db: Database) => Promise<void>,
  existingUrl?: string,
) {
  if (!sections.has(name)) return;
  console.error(`\n${name}`);
  const database =
    existingUrl === undefined ? await postgres.create() : { url: existingUrl, drop: async () => {} };
  const db = createDatabase(createPool(database.url, { max: 1, statement_timeout: 0, query_timeout: 0 }));
  try {
    await measure(database.url, db);
  } finally {
    await db.destroy();
    await database.drop();
  }
}
