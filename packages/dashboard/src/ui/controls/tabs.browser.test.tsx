import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import "../../styles.css";
import { Tabs } from "./tabs.tsx";

const TABS = ["Why", "Overview", "Scores 12", "Input / Output", "Decisions 120", "Events 45", "Raw"].map(
  (label) => ({ tab: label, label }),
);

it("shows every tab in a panel that is narrower than all of them", async () => {
  const panel = document.body.appendChild(document.createElement("div"));
  panel.style.width = "360px";
  const root = createRoot(panel);
  onTestFinished(() => {
    root.unmount();
    panel.remove();
  });
  root.render(
    <Tabs label="Details" tabs={TABS} value="Why" onChange={() => undefined}>
      Text
    </Tabs>,
  );
  await expect.element(page.getByRole("tab", { name: "Raw" })).toBeVisible();
  const { right } = panel.getBoundingClientRect();
  for (const tab of page.getByRole("tab").elements())
    expect(tab.getBoundingClientRect().right, tab.textContent ?? "").toBeLessThanOrEqual(right);
});
