const RELOADED_AT = "whytrace-reloaded-at";
const MIN_PAUSE_MS = 60_000;

/**
 * Imports a page's chunk. After a deployment the server no longer has the chunks of the version that this tab loaded:
 * then it reloads the tab once, which loads the new version at the same URL. If that does not help, or if the server
 * does not answer, the import fails and the page shows the error.
 */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(await isServerUp()) || !claimReload()) throw error;
    location.reload();
    // Shows the page's skeleton until the browser leaves it.
    return new Promise(() => {});
  }
}

const isServerUp = () =>
  fetch("/api/health/live").then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns false if this tab was reloaded within the last minute, or if it cannot remember that. */
function claimReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < MIN_PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
