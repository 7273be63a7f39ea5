const RELOADED_AT = "whytrace-reloaded-at";
const MIN_PAUSE_MS = 60_000;

/** A page whose chunk could not be loaded. */
export class MissingPageError extends Error {
  constructor(cause: unknown) {
    super("Part of Whytrace could not be loaded. Check your connection.", { cause });
  }
}

let isOpening = () => true;

/** Tells when a page is being opened. At other times pages are only preloaded, because the pointer is over a link. */
export function setOpening(isPageOpening: () => boolean) {
  isOpening = isPageOpening;
}

/**
 * Imports a page's chunk. After a deployment the server no longer has the chunks of the version that this tab loaded:
 * then opening a page reloads the tab once, which loads the new version at the URL of that page. A page that is only
 * preloaded does not: the tab may contain a form that somebody fills in. If reloading does not help, or if the server does
 * not answer, the import fails and the page shows the error.
 */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(await isServerUp()) || !isOpening() || !claimReload()) throw new MissingPageError(error);
    location.reload();
    // Shows what was there until the browser leaves it.
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
