/**
 * How much slower than an idle machine the CI machine may be: with `--ci`, harnesses that measure time allow this multiple
 * of their goal. Without `--ci` the goals themselves apply.
 */
export const CI_SLOWDOWN = 3;
