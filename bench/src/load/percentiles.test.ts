import { expect, test } from 'vitest';
import { median, percentile, summarizeLatencies } from './percentiles.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

test('percentile returns the nearest-rank sample', () => {
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile([7], 0.01)).toBe(7);
  expect(percentile([1, 2, 3], 0.5)).toBe(2);
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2);
  expect(percentile([], 0.5)).toBeNaN();
});

test('summarizeLatencies uses all samples, whatever their order', () => {
  const shuffled = hundred.map((value) => ((value * 37) % 101) + 0);
  expect(summarizeLatencies(shuffled)).toEqual({
    count: 100,
    mean: 50.5,
    p50: 50,
    p95: 95,
    p99: 99,
  });
});

test('samples and values are sorted numerically', () => {
  expect(summarizeLatencies([10, 9, 100, 1]).p99).toBe(100);
  expect(median([10, 9, 100])).toBe(10);
});

test('the median of an even count is the mean of the two middle values', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([5])).toBe(5);
  expect(median([])).toBeNaN();
});
