import { expect, it } from "vitest";
import { breaksResolution } from "./breaks-resolution.ts";

const AT = "2026-11-17T12:00:00.000Z";
const EARLIER = "2026-11-17T11:59:59.999Z";
const LATER = "2026-11-17T12:00:00.001Z";
/** Releases by the version at which they were first seen; release 9 was not seen. */
const order = (release: number) => ({ 1: 10, 2: 20, 3: 30 })[release];
const resolved = (fields: object) => ({
  in: "now" as const,
  at: AT,
  version: 20,
  releaseHash: null,
  exceptReleases: [],
  ...fields,
});
const run = (fields: object) => ({ startedAt: LATER, releaseHash: null, isQuiet: false, ...fields });

it.each([
  ["a run that started later breaks now", run({}), resolved({}), true],
  ["one that started before and arrives late does not", run({ startedAt: EARLIER }), resolved({}), false],
  ["nor does a quiet one", run({ isQuiet: true }), resolved({}), false],
  ["a release first seen later breaks next", run({ releaseHash: 3 }), resolved({ in: "next" }), true],
  ["a known release does not", run({ releaseHash: 2 }), resolved({ in: "next" }), false],
  ["nor does a run without a release", run({}), resolved({ in: "next" }), false],
  [
    "the release itself breaks it",
    run({ releaseHash: 2 }),
    resolved({ in: "release", releaseHash: 2 }),
    true,
  ],
  [
    "one first seen after it, too",
    run({ releaseHash: 3 }),
    resolved({ in: "release", releaseHash: 2 }),
    true,
  ],
  ["an earlier one does not", run({ releaseHash: 1 }), resolved({ in: "release", releaseHash: 2 }), false],
  [
    "nothing breaks it before the release comes",
    run({ releaseHash: 3 }),
    resolved({ in: "release", releaseHash: 9 }),
    false,
  ],
  [
    "a release that is excepted breaks nothing",
    run({ releaseHash: 3 }),
    resolved({ in: "next", exceptReleases: [3] }),
    false,
  ],
])("%s", (_title, counted, resolution, isBroken) => {
  expect(breaksResolution(counted, resolution, order)).toBe(isBroken);
});
