import { asWorkspaceId } from "../db/workspace-id.ts";

/** Below this prefix everybody reads the sample. Addresses of workspaces begin with /w/ and ten characters. */
export const SAMPLE_PREFIX = "/w/sample";

/** The same on every server, so that no table has to say which workspace is the sample. */
export const SAMPLE_WORKSPACE = asWorkspaceId("5a3b1e00-0000-4000-8000-000000000001");
/** The key under which visitors read. */
export const SAMPLE_KEY_ID = "5a3b1e00-0000-4000-8000-000000000002";
