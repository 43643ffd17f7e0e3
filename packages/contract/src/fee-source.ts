/**
 * Which price the fee of a seat was taken from: entered for this session, the student's own price in the lesson, the lesson's
 * price, the student's rate for the subject, or the subject's default fee.
 */
export const FEE_SOURCES = ['session', 'student', 'lesson', 'rate', 'subject'] as const;
export type FeeSource = (typeof FEE_SOURCES)[number];

/** Whether a session follows the students' rates. A group does so even if some students have individual prices. */
export const followsRates = (
  lesson: { usesRates: boolean },
  seats: readonly { feeSource: FeeSource }[],
  isGroup: boolean,
): boolean =>
  isGroup
    ? lesson.usesRates && seats.every(({ feeSource }) => !/^(session|lesson)$/.test(feeSource))
    : seats.some(({ feeSource }) => feeSource === 'rate' || feeSource === 'subject');
