import { readFileSync, writeFileSync } from "node:fs";

const field = (pid: number, name: string) => {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  return Number(kib) / 1_024;
};

export const rssMib = (pid: number) => field(pid, "VmRSS");

/** The highest since the process began, or since it was last reset. */
export const peakRssMib = (pid: number) => field(pid, "VmHWM");

/** See proc(5): writing 5 makes the peak what is in use now. */
export const resetPeakRss = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, "5");
