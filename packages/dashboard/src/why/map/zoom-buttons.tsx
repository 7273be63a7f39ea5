import { Button } from "../../ui/controls/button.tsx";
import { ZOOM_STEP } from "./use-map-zoom.ts";

interface ZoomButtonsProps {
  onZoom: (factor: number) => void;
  onFit: () => void;
}

/** Makes the map smaller or larger, for those who have neither the keys nor a touchpad. */
export function ZoomButtons({ onZoom, onFit }: ZoomButtonsProps) {
  return (
    <div className="flex gap-1">
      <Button aria-label="Zoom out" onClick={() => onZoom(1 / ZOOM_STEP)}>
        −
      </Button>
      <Button aria-label="Fit the map to the screen" onClick={onFit}>
        Fit
      </Button>
      <Button aria-label="Zoom in" onClick={() => onZoom(ZOOM_STEP)}>
        +
      </Button>
    </div>
  );
}
