import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';

beforeEach(async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/');
  await screen.findByRole('heading', { level: 1 });
});

test('[LAND-03] there is a hero with a headline and a sign-up link', () => {
  const hero = screen.getByRole('region', { name: 'Every lesson booked, taught and paid.' });
  const start = within(hero).getByRole('link', { name: 'Start your free trial' });
  expect(start.getAttribute('href')).toBe('/signup');
  expect(hero.textContent).toContain('14-day free trial');
  expect(hero.textContent).toContain('No credit card');
});

test('[LAND-04] there are six feature cards', () => {
  const features = screen.getByRole('region', { name: 'What is in the book' });
  const titles = within(features)
    .getAllByRole('listitem')
    .map((card) => within(card).getByRole('heading').textContent?.toLowerCase());
  expect(titles).toEqual([
    'scheduling',
    'payments',
    'client communication',
    'student management',
    'attendance tracking',
    'financial insights',
  ]);
});

test('[LAND-05] there are three testimonials by kinds of tutor, marked as illustrative', () => {
  const section = screen.getByRole('region', { name: 'What a book like this changes' });
  const captions = [...section.querySelectorAll('figcaption b')].map(
    (caption) => caption.textContent,
  );
  expect(captions).toHaveLength(3);
  expect(section.textContent).toContain('Illustrative');
  for (const caption of captions) expect(caption).toMatch(/^An? .*(tutor|teacher)$/);
});

test('[LAND-07] every footer link leads to an existing page or section', () => {
  const footer = screen.getByRole('navigation', { name: 'Footer' });
  const targets = within(footer)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '');
  expect(targets.length).toBeGreaterThan(2);
  for (const target of targets) {
    const exists = target.startsWith('#')
      ? document.querySelector(target) !== null
      : ['/login', '/signup'].includes(target);
    expect(exists, target).toBe(true);
  }
});

test('[LAND-10] it advertises invoices and reminders by messaging app and e-mail', () => {
  const card = screen.getByRole('heading', { name: 'Client communication' }).parentElement;
  expect(card?.textContent).toMatch(/invoices.*reminders.*WhatsApp.*e-mail/i);
});

test('the page has a title and a skip link', () => {
  expect(document.title).toMatch(/^Lessonbook: /);
  const skip = screen.getByRole('link', { name: 'Skip to content' });
  expect(document.querySelector(skip.getAttribute('href') ?? '')?.tagName).toBe('MAIN');
});
