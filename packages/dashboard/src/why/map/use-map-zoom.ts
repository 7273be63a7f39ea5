import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useElementWidth } from "../../ui/hooks/use-element-width.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";

export const ZOOM_STEP = 1.2;
const [MIN_ZOOM, MAX_ZOOM] = [0.4, 2];
/** A map that is wider than the screen is drawn smaller, as long as its words can be read. */
const MIN_FIT_ZOOM = 0.7;
/** Around the map, within its frame. */
const PADDING_PX = 8;
/** By how much a turn of the wheel by a pixel changes the size. */
const ZOOM_PER_PIXEL = 1.007;

/** How large the map is drawn in its frame, by keys, buttons and pinching. It opens with `startX`, where the runs begin, in the middle. */
export function useMapZoom(frame: RefObject<HTMLElement | null>, width: number, startX: number) {
  /** Undefined until the user zooms: then the map fits the screen. */
  const [chosenZoom, setZoom] = useState<number>();
  const frameWidth = useElementWidth(frame);
  const fitZoom = Math.max(MIN_FIT_ZOOM, Math.min(1, (frameWidth - 2 * PADDING_PX) / width));
  const zoom = chosenZoom ?? fitZoom;
  /** What stays in its place when the size changes, from the corner of the frame, and the size that it had. */
  const anchor = useRef<{ x: number; y: number; zoom: number }>(undefined);
  const zoomBy = (factor: number, at?: { x: number; y: number }) => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    anchor.current = { x: clientWidth / 2, y: clientHeight / 2, ...at, zoom };
    setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)));
  };
  const fit = () => {
    anchor.current = undefined;
    setZoom(undefined);
  };
  useLayoutEffect(() => {
    const { current: element } = frame;
    const { current: kept } = anchor;
    anchor.current = undefined;
    if (!element) return;
    if (kept) {
      const grown = zoom / kept.zoom;
      const moved = (scrolled: number, from: number) => (scrolled + from) * grown - from;
      element.scrollLeft = moved(element.scrollLeft, kept.x - PADDING_PX);
      element.scrollTop = moved(element.scrollTop, kept.y - PADDING_PX);
    } else element.scrollLeft = PADDING_PX + startX * zoom - element.clientWidth / 2;
  }, [frame, zoom, startX]);
  const pinch = useRef(zoomBy);
  pinch.current = zoomBy;
  useEffect(() => {
    const { current: element } = frame;
    // Browsers report a pinch as a turned wheel with the control key. React listens passively, and could not stop the page's own zoom.
    const onWheel = (event: WheelEvent) => {
      if (!element || !event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      pinch.current(ZOOM_PER_PIXEL ** -event.deltaY, {
        x: event.clientX - left,
        y: event.clientY - top,
      });
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [frame]);
  useShortcuts({ "+": () => zoomBy(ZOOM_STEP), "-": () => zoomBy(1 / ZOOM_STEP), "0": fit });
  return { zoom, zoomBy, fit };
}
