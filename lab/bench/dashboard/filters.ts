import type { Page } from "playwright-core";

interface Filter {
  name: string;
  list: string;
  /** Opens the menu that contains the control; not timed. */
  open?: (page: Page) => Promise<unknown>;
  /** The debounce of a search field: included in the time, excluded from the limit. */
  pauseMs?: number;
  /** The last step, after which the rows change. */
  set: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
const radio = (name: string) => (page: Page) => page.getByText(name, { exact: true }).click();
const type = (label: string, text: string) => (page: Page) => page.getByLabel(label).fill(text);
const addAndFill = (chip: string, label: string, text: string) => async (page: Page) => {
  await press("+ Filter")(page);
  await page.getByRole("menuitem", { name: chip, exact: true }).click();
  await page.getByLabel(label, { exact: true }).fill(text);
};
const column = (name: string) => (page: Page) =>
  page.getByRole("columnheader", { name }).getByRole("button").click();

const NAME = "Search by name";
const REASON = "Search reasoning, choices and trace names";

export const FILTERS: Filter[] = [
  { name: "traces, name", list: "/traces", pauseMs: 150, set: type(NAME, "refund") },
  {
    name: "traces, status",
    list: "/traces",
    set: (page) => page.getByLabel("Status").selectOption("ERROR"),
  },
  {
    name: "traces, tags",
    list: "/traces",
    open: addAndFill("Tags", "Any of these tags", "prod"),
    set: press("Apply"),
  },
  { name: "traces, received 7 days", list: "/traces", open: press("Time"), set: press("7 days") },
  { name: "traces, longest", list: "/traces", set: column("Duration") },
  { name: "traces, costliest", list: "/traces", set: column("Cost") },
  { name: "traces, next page", list: "/traces", set: press("Next →") },
  { name: "decisions, search", list: "/decisions", pauseMs: 150, set: type(REASON, "refund") },
  { name: "decisions, type", list: "/decisions", set: press("Escalation") },
  { name: "decisions, costliest", list: "/decisions", set: radio("Costliest") },
  { name: "sessions, next page", list: "/sessions", set: press("Next →") },
];

/** From the press of a control to the frame after the one that painted the new rows. */
export async function measureFilter(
  page: Page,
  filter: Filter,
  url: string,
  rounds: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // A new load clears the query cache of the previous round.
    await page.goto(url + filter.list);
    await page.locator("[data-row]").first().waitFor();
    await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
    await filter.open?.(page);
    await page.evaluate(watch);
    await filter.set(page);
    times.push(await page.evaluate(() => Reflect.get(window, "painted")));
  }
  await page.close();
  return times;
}

/** Runs in the page: `painted` is how long the next change of the rows took. */
function watch() {
  // The rows may stay the same, so wait for another API response and for no pending query.
  const responseCount = () =>
    performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/")).length;
  const [before, { href }] = [responseCount(), location];
  const controlUsed = new Promise<number>((resolve) => {
    for (const kind of ["click", "change", "input"])
      addEventListener(kind, (event) => resolve(event.timeStamp), { capture: true, once: true });
  });
  const isDone = () =>
    location.href !== href && responseCount() > before && !document.querySelector("[aria-busy=true]");
  const painted = controlUsed.then(
    (atMs) =>
      new Promise<number>((resolve) => {
        const check = () =>
          requestAnimationFrame(() =>
            isDone() ? setTimeout(() => resolve(performance.now() - atMs)) : check(),
          );
        check();
      }),
  );
  Object.assign(window, { painted });
}
