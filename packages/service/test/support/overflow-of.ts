import type { Page } from "playwright-core";

/** Elements that make a page wider than the screen; those inside of a scrolled part do not. */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isWide = (one) => one.getBoundingClientRect().right > width + 1;
    return [...document.querySelectorAll("main *, header *")]
      .filter((one) => isWide(one) && ![...one.children].some(isWide))
      .map((one) => one.outerHTML.slice(0, 200));
  })()`);
}
