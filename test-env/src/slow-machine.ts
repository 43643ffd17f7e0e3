/**
 * How much slower than a quiet machine one may be on which CI runs: with `--ci`, harnesses that measure time allow this many
 * times their goal. Without it, as somebody runs them by hand, the goals themselves hold.
 */
export const CI_SLOWDOWN = 3;
