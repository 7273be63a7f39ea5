/** Below this path everybody reads the sample workspace. */
export const SAMPLE_PATH = "/w/sample";

const [base = "", slug] = /^\/w\/([^/]+)(?=\/|$)/.exec(location.pathname) ?? [];

/** Whether this tab shows the sample: the address says it, and nothing else does. */
export const isSample = base === SAMPLE_PATH;

/** The workspace that the address of this tab names; undefined if it names none. */
export const workspaceSlug = isSample ? undefined : slug;

/** What all paths of this tab begin with. Another workspace is another load of the page, so this never changes. */
export const basePath = base;

/** Paths about the signed-in person or about nobody, which never name a workspace. */
const PERSONAL =
  /^\/api\/(auth|account|workspaces|invitations\/(lookup|accept)|shared|health|traces\/[^/]+\/workspace)(?=[/?]|$)/;

/** The address of a path of the API. */
export const apiUrl = (path: string) => (!isSample && PERSONAL.test(path) ? path : basePath + path);
