import type { PriceRisePreview } from '@lessonbook/contract/price-rises';
import { difference } from '../schedule/compare-with-server.ts';
import type { LedgerFixture } from './ledger-fixture.ts';
import type { PriceRisePlan, RaisedPrice } from './prices-model.ts';

/** Compares the old and new prices that each family would be sent, and how many planned seats keep their fee. */
export function priceRiseDifference(
  plan: PriceRisePlan,
  preview: PriceRisePreview,
  fixture: LedgerFixture,
): string | null {
  const payerOf = (id: number) => [...fixture.families].find(([, known]) => known === id)?.[0];
  const actual = preview.families.map(({ familyId, prices }) => [
    payerOf(familyId),
    prices
      .map((price) =>
        describePrice({
          student: fixture.students.indexOf(price.studentId) + 1,
          subject: fixture.subjects.indexOf(price.subjectId) + 1,
          unit: price.unit,
          old: price.oldAmount,
          new: price.newAmount,
          lessons: price.lessons,
        }),
      )
      .toSorted(),
  ]);
  const expected = Object.entries(plan.families).map(([payer, prices]) => [
    payer,
    prices.map(describePrice).toSorted(),
  ]);
  const kept = Object.fromEntries(preview.kept.map(({ reason, lessons }) => [reason, lessons]));
  return (
    difference(Object.fromEntries(expected), Object.fromEntries(actual), 'price rise') ??
    difference(plan.kept, kept, 'price rise.kept')
  );
}

const describePrice = (price: RaisedPrice): string =>
  `student ${price.student}, subject ${price.subject}: ${price.old} to ${price.new} per ${price.unit}, ${price.lessons} lessons`;
