import type { Page } from "playwright-core";

/**
 * Answers requests with an error until the returned function is called. The route stays until the page closes: a route that is
 * removed while a request waits for it can leave that request without a response.
 */
export async function failRequests(page: Page, url: string, status: number, error: string) {
  let isFailing = true;
  // Live updates would fetch again before a test clicks Retry.
  await page.route("**/api/stream*", (route) => route.abort());
  await page.route(url, (route) =>
    isFailing
      ? route.fulfill({ status, headers: { "retry-after": "7" }, json: { error } })
      : route.fallback(),
  );
  return () => {
    isFailing = false;
  };
}
