import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';

const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
};
const COLOUR_RULES: RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block'],
};

interface Options {
  rules?: 'all' | 'colours';
  /** Leaves out a part of the page, for example "#root". */
  exclude?: string | null;
}

export async function findViolations(page: Page, { rules = 'all', exclude = null }: Options = {}) {
  // The checker is 650 kB, so it is loaded only once for each document.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ runOnly, excluded }) => {
      const checker = Reflect.get(window, 'axe') as typeof axe;
      // After a theme change, the colours are still changing until their transitions have ended.
      const transitions = document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      const { violations } = await checker.run(excluded ? { exclude: [excluded] } : document, {
        runOnly,
        resultTypes: ['violations'],
        // The only frame is the preview of an email. Its sandbox blocks scripts, so the checker cannot run in it.
        iframes: false,
      });
      return violations;
    },
    { runOnly: rules === 'all' ? ALL_RULES : COLOUR_RULES, excluded: exclude },
  );
}
