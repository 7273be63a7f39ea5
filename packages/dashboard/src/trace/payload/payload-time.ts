import { createContext } from "react";

/** When the trace's outline was fetched. Payloads that were fetched earlier may be outdated. */
export const PayloadTime = createContext(0);
