/**
 * A day that is always the same: a Tuesday in mid-month and mid-term, five past eight in the evening, with a clock change
 * three weeks on. One API of the stage lives in it (`test.use({ evening: true })`); the browser's own clock does not, so
 * whatever reads that one instead of the tutor's today is found out.
 */
export const FIXED_NOW = '2030-03-12T20:05:00Z';
/** The clock runs on while the suite does: a lesson at 22:50 is two hours away for as long as it takes. */
export const TODAY = '2030-03-12';
