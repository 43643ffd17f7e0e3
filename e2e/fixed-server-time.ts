/**
 * A fixed date: a Tuesday evening in the middle of a month and a term, with a clock change three weeks later. One API in the
 * test environment uses it (`test.use({ fixedClock: true })`). Its clock starts at this time and keeps running, so tests leave
 * a margin: a lesson at 22:50 stays more than two hours ahead. The browser keeps the real time, so that a test fails if the
 * code reads the browser's clock instead of the tutor's date.
 */
export const FIXED_NOW = '2030-03-12T20:05:00Z';
export const TODAY = '2030-03-12';
