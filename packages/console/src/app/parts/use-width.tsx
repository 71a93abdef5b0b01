import { type RefCallback, useCallback, useState } from "react";

/** The width of an element in pixels; 0 until it is known. */
export function useWidth<Kind extends Element>(): readonly [
  place: RefCallback<Kind>,
  width: number,
] {
  const [width, setWidth] = useState(0);
  const place = useCallback((element: Kind) => {
    const measure = (): void => setWidth(element.getBoundingClientRect().width);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return [place, width];
}
