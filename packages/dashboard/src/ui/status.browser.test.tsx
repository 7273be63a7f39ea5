import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import "../styles.css";
import { StatusBadge, StatusIcon } from "./status.tsx";

it("a run that completed is not green: it may be bad", async () => {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(
    <>
      <StatusIcon status="COMPLETED" />
      <StatusBadge status="COMPLETED" />
      <span data-testid="good" className="bg-completed text-completed" />
    </>,
  );
  const icon = page.getByRole("img", { name: "Completed" });
  await expect.element(icon).toBeVisible();
  const good = getComputedStyle(page.getByTestId("good").element());
  expect(getComputedStyle(icon.element()).backgroundColor).not.toBe(good.backgroundColor);
  const badge = page.getByText("Completed", { exact: true });
  expect(getComputedStyle(badge.element()).color).not.toBe(good.color);
});
