import { expect, it } from "vitest";
import { FRAMEWORKS } from "./frameworks.ts";

const pages = import.meta.glob<string>("../../../../docs/opentelemetry/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

it("every framework that has a page in the documentation is offered, under its name, in the order of the alphabet", () => {
  const titles = Object.entries(pages)
    .map(([path, text]) => [path.split("/").at(-1)?.replace(".md", ""), text.split("\n")[0]?.slice(2)])
    .filter(([page]) => page !== "mapping");
  expect(FRAMEWORKS.map(([, page]) => page).toSorted()).toEqual(titles.map(([page]) => page).toSorted());
  for (const [label, page] of FRAMEWORKS)
    expect(titles.find(([name]) => name === page)?.[1]).toMatch(new RegExp(`^${label}(,|$)`));
  const labels = FRAMEWORKS.map(([label]) => label);
  expect(labels).toEqual(labels.toSorted((one, other) => one.localeCompare(other, "en")));
});
