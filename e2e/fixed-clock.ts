/**
 * A fixed date: a Tuesday evening in the middle of a month and a term, with a clock change three weeks later. One API of the
 * test environment uses it (`test.use({ fixedClock: true })`); the browser's clock does not, so that code that reads the
 * browser's clock instead of the tutor's date fails.
 */
export const FIXED_NOW = '2030-03-12T20:05:00Z';
/** The clock runs during the suite, so tests keep enough distance: a lesson at 22:50 stays about two hours ahead. */
export const TODAY = '2030-03-12';
