/**
 * How much slower than an idle machine the CI machine may be: with `--ci`, harnesses that measure time allow this multiple
 * of their target. Without `--ci`, the targets themselves apply.
 */
export const CI_SLOWDOWN = 3;
