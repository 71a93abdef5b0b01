import type { Page } from "playwright-core";

/**
 * Words that continue on the next line, except in code, where any character may be the last one. An
 * address or an account has several words.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    const range = document.createRange();
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const element = node.parentElement;
      if (!element || element.closest("pre, code, .mono, script") || node.length < 2) continue;
      range.selectNodeContents(node);
      if (range.getClientRects().length < 2) continue;
      for (const { index, 0: word } of node.data.matchAll(/[^\\s@./:_+-]{2,}/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) found.push(word);
      }
    }
    return found;
  })()`);
}
