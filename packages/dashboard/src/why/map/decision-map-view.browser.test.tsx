import type { DecisionMap, MapNode } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { showPage } from "../../../test/show-page.tsx";
import { START } from "./listed-choices.ts";

const ENDED = { fine: 0, failed: 0, unknown: 0 };
const path = (from: string, to: string, times: number, failedTimes: number) => ({
  from,
  to,
  times,
  failedTimes,
  unknownTimes: 0,
  runs: times,
  failedRuns: failedTimes,
});
const choice = (step: string, name: string, times: number, failedTimes: number, ended = ENDED): MapNode => ({
  step,
  signature: step,
  type: "TOOL_SELECTION",
  name,
  times,
  failedTimes,
  unknownTimes: 0,
  runs: times,
  failedRuns: failedTimes,
  ended,
});

/** Twelve ways on, so that the map is wider than its frame, and most runs fail in the last. */
const WAYS = 12;
const FEW = { times: 10_000, failedTimes: 5_000 };
const MANY = { times: 100_000, failedTimes: 90_000 };
const ways = Array.from({ length: WAYS }, (_, index) => ({
  step: `a${index}`,
  ...(index === WAYS - 1 ? MANY : FEW),
}));
const RUNS = (WAYS - 1) * FEW.times + MANY.times;
const FAILED = (WAYS - 1) * FEW.failedTimes + MANY.failedTimes;
const MAP: DecisionMap = {
  from: "2026-01-01T00:00:00.000Z",
  to: "2026-01-31T00:00:00.000Z",
  agent: "support-agent",
  runs: RUNS,
  failedRuns: FAILED,
  leftOut: { runs: 0, missing: [] },
  isTruncated: false,
  nodes: [
    { ...choice(START, "Start", RUNS, FAILED), signature: null, type: null },
    ...ways.map(({ step, times, failedTimes }) =>
      choice(step, `choice ${step}`, times, failedTimes, {
        fine: times - failedTimes,
        failed: failedTimes,
        unknown: 0,
      }),
    ),
  ],
  edges: ways.map(({ step, times, failedTimes }) => path(START, step, times, failedTimes)),
};

/** The same choices one after the other: higher than its frame. */
const CHAIN: DecisionMap = {
  ...MAP,
  edges: ways.map(({ step }, index) => path(index === 0 ? START : `a${index - 1}`, step, 10_000, 5_000)),
};

async function showMap(shown = MAP) {
  showPage("/why/map?view=map", {
    "GET /api/insights/map": shown,
    "GET /api/insights/agents": { agents: [] },
  });
  const map = page.getByRole("group", { name: "Choices: arrow keys follow the paths" });
  await expect.element(map).toBeVisible();
  const start = page.getByRole("button", { name: /^Start/ });
  const frame = map.element().parentElement?.parentElement;
  if (!frame) throw new Error("The map has no frame");
  return { start, frame };
}

const LINE_HEIGHT = 16;
const middleOf = (element: Element) => {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
};

it("opens where the runs begin, wherever they fail", async () => {
  const { start, frame } = await showMap();
  expect(frame.scrollWidth).toBeGreaterThan(frame.clientWidth);
  await expect.poll(() => Math.abs(middleOf(start.element()) - middleOf(frame))).toBeLessThan(20);
});

it("shows all numbers of a choice at which runs end", async () => {
  await showMap();
  for (const button of page.getByRole("button", { name: /^choice/ }).elements())
    for (const line of button.children) {
      expect(line.scrollWidth, button.textContent).toBe(line.clientWidth);
      expect(line.clientHeight).toBe(LINE_HEIGHT);
    }
});

it("is red only where runs fail more often than all do, and green where less often", async () => {
  await showMap();
  const colours = page
    .getByRole("button", { name: /^(Start|choice)/ })
    .elements()
    .map((button) => getComputedStyle(button).borderTopColor);
  const [start, ...others] = colours;
  const last = others.pop();
  expect(new Set([start, others[0], last]).size).toBe(3);
  expect(new Set(others).size).toBe(1);
});

it("is made larger and smaller by buttons and by pinching, around what is pointed at", async () => {
  const { start, frame } = await showMap();
  const widthOf = () => start.element().getBoundingClientRect().width;
  const fit = widthOf();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(widthOf).toBeGreaterThan(fit);
  await page.getByRole("button", { name: "Fit the map to the screen" }).click();
  await expect.poll(widthOf).toBe(fit);
  await page.getByRole("button", { name: "Zoom out" }).click();
  await expect.poll(widthOf).toBeLessThan(fit);
  await page.getByRole("button", { name: "Fit the map to the screen" }).click();
  await expect.poll(widthOf).toBe(fit);
  const at = middleOf(start.element());
  const pinch = { deltaY: -60, ctrlKey: true, clientX: at, bubbles: true, cancelable: true };
  expect(frame.dispatchEvent(new WheelEvent("wheel", pinch))).toBe(false);
  await expect.poll(widthOf).toBeGreaterThan(fit);
  expect(Math.abs(middleOf(start.element()) - at)).toBeLessThan(1);
  // A wheel alone scrolls.
  expect(frame.dispatchEvent(new WheelEvent("wheel", { ...pinch, ctrlKey: false }))).toBe(true);
});

it("keeps its legend and its buttons above the footer", async () => {
  await showMap(CHAIN);
  const footer = page
    .getByText(/^Association, not cause/)
    .element()
    .closest("footer");
  const { bottom } = page.getByRole("button", { name: "Zoom in" }).element().getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(footer?.getBoundingClientRect().top ?? 0);
});
