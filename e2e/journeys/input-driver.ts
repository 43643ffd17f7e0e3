import { expect, type Locator, type Page } from '@playwright/test';
import {
  calendarButton,
  checkboxClickTarget,
  daysBetween,
  monthIndex,
  pickerDay,
  pickerMonth,
} from '../page-objects/controls.ts';

/** How a tutor uses the page: with a mouse, a touchscreen or only the keyboard. */
export interface InputDriver {
  click: (target: Locator) => Promise<void>;
  fill: (field: Locator, text: string) => Promise<void>;
  /** Chooses an item from an open menu. */
  chooseMenuItem: (item: Locator) => Promise<void>;
  /** Selects a checkbox or radio button. */
  check: (box: Locator) => Promise<void>;
  /** Types the beginning of an option and selects it. */
  chooseOption: (select: Locator, option: string) => Promise<void>;
  /** Selects an option in a native select. */
  selectNative: (select: Locator, option: string) => Promise<void>;
  /** Picks a day (`yyyy-MM-dd`) in the date picker of a field. */
  pickDate: (field: Locator, date: string) => Promise<void>;
  /** Number of clicks and fields so far. */
  actionCount: () => number;
}

export const mouse = (page: Page): InputDriver => pointer(page, (target) => target.click());

export const touchscreen = (page: Page): InputDriver => pointer(page, (target) => target.tap());

function pointer(page: Page, activate: (target: Locator) => Promise<void>): InputDriver {
  let count = 0;

  async function click(target: Locator): Promise<void> {
    count += 1;
    await activate(target);
  }

  return {
    click,
    chooseMenuItem: click,
    check: async (box) => click(await checkboxClickTarget(box)),
    async fill(field, text) {
      await click(field);
      await field.fill(text);
    },
    async chooseOption(select, option) {
      await click(select);
      await select.fill(option);
      await click(optionFor(page, option));
    },
    async selectNative(select, option) {
      count += 1;
      await select.selectOption(option);
    },
    async pickDate(field, date) {
      await click(calendarButton(field));
      for (const steps = monthNavigation(page, date); await steps.isNeeded(); )
        await click(steps.arrow);
      await click(pickerDay(page, date));
    },
    actionCount: () => count,
  };
}

const MAX_TABS = 60;

export function keyboard(page: Page): InputDriver {
  let count = 0;

  async function tabUntil(isReached: () => Promise<boolean>, targetName: string): Promise<void> {
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await isReached()) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${targetName} was not reached by pressing Tab ${MAX_TABS} times`);
  }

  async function tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    await tabUntil(() => hasFocus(target), String(target));
  }

  async function click(target: Locator): Promise<void> {
    count += 1;
    // A new screen moves focus to its heading once, possibly after the first Tab.
    await expect(async () => {
      await tabTo(target);
      await expectVisibleFocus(target);
    }).toPass({ timeout: 30_000 });
    await page.keyboard.press('Enter');
  }

  async function fill(field: Locator, text: string): Promise<void> {
    count += 1;
    await tabTo(field);
    // Tab selects the contents of a field, so typing replaces them; a field that already has focus needs this instead.
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  }

  return {
    click,
    fill,
    async chooseMenuItem(item) {
      count += 1;
      await expect(item).toBeVisible();
      // A menu is one tab stop; arrow keys move between its items.
      for (let arrows = 0; arrows < 9 && !(await hasFocus(item)); arrows += 1) {
        await page.keyboard.press('ArrowDown');
      }
      await expectVisibleFocus(item);
      await page.keyboard.press('Enter');
    },
    async check(box) {
      count += 1;
      await expect(box).toBeVisible();
      if ((await box.getAttribute('type')) === 'radio') {
        // A radio group is one tab stop; arrow keys move within it and select.
        const name = await box.getAttribute('name');
        const isInGroup = () =>
          page.evaluate((group) => document.activeElement?.getAttribute('name') === group, name);
        await tabUntil(isInGroup, String(box));
        for (let arrows = 0; arrows < 6 && !(await hasFocus(box)); arrows += 1) {
          await page.keyboard.press('ArrowDown');
        }
        if (!(await box.isChecked())) await page.keyboard.press('Space');
        await expect(box).toBeChecked();
      } else {
        await tabTo(box);
        await page.keyboard.press('Space');
      }
    },
    async chooseOption(select, option) {
      await fill(select, option);
      const target = optionFor(page, option);
      await expect(target).toBeVisible();
      // If the option is already highlighted, Enter is enough.
      const isHighlighted = () =>
        target.evaluate((element) => element.hasAttribute('data-combobox-selected'));
      for (let arrows = 0; arrows < 6 && !(await isHighlighted()); arrows += 1) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
    async selectNative(select, option) {
      count += 1;
      await tabTo(select);
      const chosen = select.locator('option:checked');
      for (let arrows = 0; arrows < 9; arrows += 1) {
        const current = await chosen.innerText();
        if (current === option) break;
        await page.keyboard.press('ArrowDown');
        await expect(chosen).not.toHaveText(current);
      }
      await expect(chosen).toHaveText(option);
    },
    async pickDate(field, date) {
      await click(calendarButton(field));
      for (const steps = monthNavigation(page, date); await steps.isNeeded(); )
        await click(steps.arrow);
      // Only one day in the month is a tab stop; arrow keys move from there.
      const day = () =>
        page.evaluate(() => {
          const { activeElement: focused } = document;
          const dayTable = focused?.closest('[data-dates-dropdown] table');
          return dayTable ? (focused?.getAttribute('aria-label') ?? '') : '';
        });
      await tabUntil(async () => (await day()) !== '', 'a day');
      const target = pickerDay(page, date);
      for (let steps = 0; steps < 31 && !(await hasFocus(target)); steps += 1) {
        const days = daysBetween(await day(), date);
        const [weekKey, dayKey] = days > 0 ? ['ArrowDown', 'ArrowRight'] : ['ArrowUp', 'ArrowLeft'];
        await page.keyboard.press(Math.abs(days) >= 7 ? weekKey : dayKey);
      }
      await click(target);
    },
    actionCount: () => count,
  };
}

/** The option with this name, or the option that creates it. */
const optionFor = (page: Page, name: string): Locator =>
  page.getByRole('option', { name: new RegExp(`^(Add “)?${name}(”| |$)`) });

/** The date picker's button for the next or previous month, and whether it must be clicked again to reach the date's month. */
function monthNavigation(page: Page, date: string) {
  const calendar = page.locator('[data-dates-dropdown]');
  let arrow = calendar.getByRole('button', { name: 'Next month' });
  return {
    async isNeeded(): Promise<boolean> {
      const shownMonth = await pickerMonth(page).innerText();
      const months = monthIndex(date) - monthIndex(shownMonth);
      if (months < 0) arrow = calendar.getByRole('button', { name: 'Previous month' });
      return months !== 0;
    },
    get arrow() {
      return arrow;
    },
  };
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** The focused element must be in the viewport and have an outline of at least 2 px. */
export async function expectVisibleFocus(target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const outline = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  expect(outline, `focus outline of ${String(target)}`).toBeGreaterThanOrEqual(2);
}
