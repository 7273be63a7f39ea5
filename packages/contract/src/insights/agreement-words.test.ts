import { expect, it } from "vitest";
import { agreementWords } from "./agreement-words.ts";

const words = (low: number | null, reviewed = 40, unreviewed: string[] = []) =>
  agreementWords({
    reviewed,
    kappa: low === null ? null : { value: 0.9, low, high: 1 },
    byLabel: unreviewed.map((label) => ({ label, judged: 9, reviewed: 0, agreed: 0 })),
  });

it("says by the lower end of κ whether a judge can be trusted", () => {
  expect(words(0.6)).toBe("Agrees with people.");
  expect(words(0.599)).toBe("Good enough to rank, not to decide.");
  expect(words(0.4)).toBe("Good enough to rank, not to decide.");
  expect(words(0.399)).toBe("Do not rely on it: it agrees hardly more than chance would.");
});

it("says how many or which reviews are missing", () => {
  expect(words(null, 8)).toBe("Review 12 more runs to know.");
  expect(words(null, 19)).toBe("Review 1 more run to know.");
  expect(words(null, 40, ["true"])).toBe("Review runs that it calls true to know.");
  expect(words(null)).toBe("All runs have the same label, so nothing can be told.");
});
