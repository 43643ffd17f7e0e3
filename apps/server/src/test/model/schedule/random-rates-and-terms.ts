import type { Random } from '../random.ts';
import { daysAfter } from '../time-zones/zone-oracle.ts';
import type { Command, FixtureIds } from './commands.ts';
import { isAutomatic } from './prices-model.ts';
import type { ModelTerm, ScheduleState } from './schedule-model.ts';

/* Generates random commands for rates, default fees and school terms. */

/** Usually an existing calendar, sometimes null for all year, rarely an unknown id. */
export const randomCalendar = (
  random: Random,
  { calendars, ids }: ScheduleState,
): number | null => {
  if (random.chance(0.03)) return ids.calendar + 1;
  return calendars.length === 0 || random.chance(0.2) ? null : random.pick(calendars).id;
};

/** Usually for a student and subject that already have a rate, or for a seat whose fee follows the rates. */
export function saveRateCommand(
  random: Random,
  state: ScheduleState,
  fixtureIds: FixtureIds,
): Command {
  const rate = state.rates.length > 0 && random.chance(0.6) ? random.pick(state.rates) : null;
  const seat = rate ? null : randomAutomaticSeat(random, state);
  const { studentId, subjectId } = rate ??
    seat ?? {
      studentId: random.pick(fixtureIds.studentIds),
      subjectId: random.pick(fixtureIds.subjectIds),
    };
  const baseDate = seat?.date ?? state.today;
  const isReplaced = rate !== null && random.chance(0.3);
  return {
    kind: 'save rate',
    studentId,
    subjectId,
    amount: random.pick([2000, 3333, 4000, 4505]),
    unit: random.pick(['hour', 'lesson']),
    validFrom: isReplaced ? rate.validFrom : daysAfter(baseDate, random.between(-25, 30)),
  };
}

function randomAutomaticSeat(random: Random, { sessions }: ScheduleState) {
  const automatic = sessions.filter(
    (session) => session.status === 'scheduled' && session.seats.some(isAutomatic),
  );
  if (automatic.length === 0) return null;
  const { subjectId, date, seats } = random.pick(automatic);
  return { subjectId, date, studentId: random.pick(seats.filter(isAutomatic)).studentId };
}

/** Usually one of several for the same student and subject. */
export function deleteRateCommand(random: Random, { rates, ids }: ScheduleState): Command | null {
  if (random.chance(0.03)) return { kind: 'delete rate', id: ids.rate + 1 };
  const byPair = Map.groupBy(rates, ({ studentId, subjectId }) => `${studentId} ${subjectId}`);
  const several = [...byPair.values()].filter((pair) => pair.length > 1).flat();
  const candidates = several.length > 0 ? several : rates;
  if (candidates.length === 0 || (candidates === rates && random.chance(0.6))) return null;
  return { kind: 'delete rate', id: random.pick(candidates).id };
}

export function changeSubjectCommand(
  random: Random,
  _state: ScheduleState,
  { subjectIds }: FixtureIds,
): Command {
  return {
    kind: 'change subject',
    subjectId: random.pick(subjectIds),
    fee: random.pick([2800, 3000, 4450]),
    currency: random.chance(0.8) ? 'GBP' : 'EUR',
  };
}

/** One to four terms around today, with gaps of up to three weeks. */
function randomTerms(random: Random, { today }: ScheduleState): ModelTerm[] {
  let from = daysAfter(today, random.between(-40, 10));
  return Array.from({ length: random.between(1, 4) }, () => {
    const to = daysAfter(from, random.between(5, 45));
    const term = { from, to };
    from = daysAfter(to, random.between(1, 21));
    return term;
  });
}

export function createTermsCommand(random: Random, state: ScheduleState): Command | null {
  if (state.calendars.length >= 3) return null;
  return { kind: 'create terms', terms: randomTerms(random, state) };
}

/** Usually shortens or extends one term, or removes one. */
export function changeTermsCommand(random: Random, state: ScheduleState): Command | null {
  if (state.calendars.length === 0) return null;
  const { id, terms } = random.pick(state.calendars);
  const changed = random.pick(terms);
  const rest = terms.filter((term) => term !== changed);
  const moved = {
    from: daysAfter(changed.from, random.between(-6, 6)),
    to: daysAfter(changed.to, random.between(-12, 12)),
  };
  const isFree = rest.every((term) => term.to < moved.from || term.from > moved.to);
  const candidates = [
    randomTerms(random, state),
    ...(rest.length > 0 ? [rest, rest] : []),
    ...(moved.from <= moved.to && isFree ? [1, 2, 3, 4].map(() => [...rest, moved]) : []),
  ];
  const preview = random.chance(0.3);
  const possiblyUnknownId = random.chance(0.03) ? state.ids.calendar + 1 : id;
  return { kind: 'change terms', preview, id: possiblyUnknownId, terms: random.pick(candidates) };
}

export function deleteTermsCommand(random: Random, { calendars, ids }: ScheduleState): Command {
  const id =
    calendars.length === 0 || random.chance(0.1) ? ids.calendar + 1 : random.pick(calendars).id;
  return { kind: 'delete terms', id };
}
