/**
 * Which price the fee of a seat was taken from: entered for this session, the student's own price in the lesson, the lesson's
 * price, the student's rate for the subject, or the subject's default fee.
 */
export const FEE_SOURCES = ['session', 'student', 'lesson', 'rate', 'subject'] as const;
export type FeeSource = (typeof FEE_SOURCES)[number];
