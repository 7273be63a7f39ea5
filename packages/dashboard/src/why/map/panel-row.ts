/** A row of figures in the panel beside the map: name, share or count, interval, rate. */
export const PANEL_ROW =
  "grid grid-cols-[minmax(0,1fr)_2.5rem_4.5rem_6rem] items-center gap-2 text-xs min-h-6";
