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
  const hero = screen.getByRole('region', { name: 'Every lesson booked, taught and paid for.' });
  const start = within(hero).getByRole('link', { name: 'Start your free trial' });
  expect(start.getAttribute('href')).toBe('/signup');
  expect(hero.textContent).toContain('14-day free trial');
  expect(hero.textContent).toContain('No credit card');
});

test('[LAND-04] there are six feature cards', () => {
  const features = screen.getByRole('region', { name: 'Everything you need to run your lessons' });
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

test('[LAND-05] there are three testimonials, each for a kind of tutor and marked as an example', () => {
  const section = screen.getByRole('region', { name: 'How tutors might use it' });
  const captions = [...section.querySelectorAll('figcaption b')].map(
    (caption) => caption.textContent,
  );
  expect(captions).toHaveLength(3);
  expect(section.textContent).toContain('These are examples, not real customers.');
  expect(within(section).getAllByText('Example')).toHaveLength(3);
  for (const caption of captions) expect(caption).toMatch(/ (tutor|teacher)$/);
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
      : ['/family', '/login', '/signup'].includes(target);
    expect(exists, target).toBe(true);
  }
});

test('[LAND-10] it advertises invoices and reminders by messaging app and email', () => {
  const card = screen.getByRole('heading', { name: 'Client communication' }).parentElement;
  expect(card?.textContent).toMatch(/invoices.*reminders.*WhatsApp.*email/i);
});

test('F65 it does not claim that every message is sent by the tutor, or that there is one cookie', () => {
  const page = document.body.textContent ?? '';
  expect(page).not.toMatch(/one cookie|read every text first|that you have not sent/i);
  expect(page).toContain('Reminders are only sent once you switch them on');
});

test('F121 it says that Lessonbook is free for now and that nothing is locked after the trial', () => {
  const price = screen.getByRole('region', { name: /^Free for now/ });
  expect(price.textContent).toContain('nothing is locked and nothing is charged');
});

test('the page has a title and a skip link', () => {
  expect(document.title).toMatch(/^Lessonbook: /);
  const skip = screen.getByRole('link', { name: 'Skip to content' });
  expect(document.querySelector(skip.getAttribute('href') ?? '')?.tagName).toBe('MAIN');
});
