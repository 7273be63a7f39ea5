import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// The build in a checkout, or its copy in the published package. The paths are the same from src and dist.
const FOLDERS = {
  dashboard: ["../../../dashboard/dist/", "../../dashboard/"],
  documentation: ["../../../../docs/renderer/dist/", "../../docs/"],
};

/** The folder of a build, with a slash at the end; undefined if it is not built. */
export const findFolder = (build: keyof typeof FOLDERS) =>
  FOLDERS[build]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((candidate) => existsSync(`${candidate}index.html`));
