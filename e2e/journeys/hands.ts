import { expect, type Locator, type Page } from '@playwright/test';

/** How a tutor works the page: with a mouse, with a finger, or with the keyboard alone. */
export interface Hands {
  press: (target: Locator) => Promise<void>;
  write: (field: Locator, text: string) => Promise<void>;
}

export const mouse: Hands = {
  press: (target) => target.click(),
  write: async (field, text) => {
    await field.click();
    await field.fill(text);
  },
};

export const finger: Hands = {
  press: (target) => target.tap(),
  write: async (field, text) => {
    await field.tap();
    await field.fill(text);
  },
};

const ENOUGH_TABS = 40;

export function keyboard(page: Page): Hands {
  async function walkTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let tabs = 0; tabs < ENOUGH_TABS; tabs += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${ENOUGH_TABS} tabs did not lead to ${String(target)}`);
  }

  return {
    async press(target) {
      await walkTo(target);
      await expectSeenFocus(target);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await walkTo(field);
      // Tabbing into a field selects what is in it, so typing replaces it; a field that had focus already needs help.
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
  };
}

/** Where the keyboard is must be seen: a ring of at least 2 px around a thing inside the window. */
async function expectSeenFocus(target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const ring = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  expect(ring, `ring around ${String(target)}`).toBeGreaterThanOrEqual(2);
}
