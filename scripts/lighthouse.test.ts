import { expect, test } from 'vitest';
import { best, type Figures, missing } from './lighthouse/judge.ts';
import { slowdownFor } from './lighthouse/slowdown.ts';

const good: Figures = {
  performance: 95,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  firstPaint: 1400,
  largestPaint: 1500,
  blocked: 100,
  shift: 0,
};

test('a page passes at its demands and misses right below', () => {
  expect(missing('/', good)).toEqual([]);
  expect(missing('/', { ...good, shift: 0.0009 })).toEqual([]);
  expect(missing('/', { ...good, performance: 94 })).toEqual(['performance 94, at least 95']);
  expect(missing('/login', { ...good, accessibility: 99, bestPractices: 96 })).toHaveLength(2);
  expect(missing('/dashboard', { ...good, shift: 0.002 })).toHaveLength(1);
});

test('only the landing page is for search engines', () => {
  expect(missing('/', { ...good, seo: 92 })).toHaveLength(1);
  expect(missing('/login', { ...good, seo: 60 })).toEqual([]);
});

test('of several runs the one that misses least counts, then the fastest', () => {
  const slow = { ...good, performance: 90 };
  const slower = { ...good, performance: 80 };
  const shifting = { ...good, performance: 94, shift: 0.1 };
  expect(best('/', [slower, shifting, slow])).toBe(slow);
  expect(best('/', [slower, good])).toBe(good);
});

test('a slow machine is slowed down less, and a fast one no more than wanted', () => {
  expect(slowdownFor(1800, 4)).toBe(4);
  expect(slowdownFor(1000, 4)).toBe(4);
  expect(slowdownFor(500, 4)).toBe(2);
  expect(slowdownFor(100, 4)).toBe(1);
});
