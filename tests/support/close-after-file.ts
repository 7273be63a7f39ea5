import { afterAll } from "vitest";
import { closeAll } from "./after-file.ts";

// Vitest runs this for each test file.
afterAll(closeAll);
